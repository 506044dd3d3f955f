import { type Moved, reversed } from "../allowance/allowance.ts";
import type { Encoding, Separator, UploadKind } from "../wire/import-fields.ts";
import type { Columns } from "./read/columns.ts";
import type { ImportOptions } from "./read/row-values.ts";

/** Where an import is. `uploaded`: to be mapped; `checked`: to be started; the states in -ing are worked on by one node. */
export type ImportState =
  | "uploading"
  | "uploaded"
  | "checking"
  | "checked"
  | "importing"
  | "imported"
  | "undoing"
  | "undone"
  | "given_up";

/** Who of the staff acts. */
export interface StaffPerson {
  readonly uid: string;
  readonly name: string;
}

/** How the file is to be read. */
export interface Reading {
  readonly encoding: Encoding;
  readonly separator: Separator;
  readonly hasHeader: boolean;
  readonly columns: Columns;
}

/** A file of points, tiers or customers and what became of it. */
export interface CsvImport extends Reading {
  readonly uid: string;
  readonly kind: UploadKind;
  readonly state: ImportState;
  readonly fileName: string;
  readonly createdAt: Temporal.Instant;
  readonly createdByUid: string;
  readonly createdBy: string;
  readonly byteCount: bigint | null;
  readonly pieceCount: number | null;
  readonly contentSha256: Buffer | null;
  /** About. */
  readonly lineCount: number | null;
  readonly options: ImportOptions;
  /** Of customers: whether all of its rows have left what undoing them needs. */
  readonly keepsChanges: boolean;
  /** Of a file of another app: what its check adds up, as the folder that reads such files keeps it; null: it was not checked. */
  readonly survey: unknown;
  /** Why the file could not be read with these settings; null: it could, or it was not tried. */
  readonly error: string | null;
  readonly unreadableLine: number | null;
  readonly customerCount: bigint | null;
  /** Rows that the check warns of. */
  readonly warningCount: bigint | null;
  /** The most that the rows of one customer add, or that they take, by the check. */
  readonly largestPoints: bigint | null;
  readonly checkedByUid: string | null;
  readonly startedAt: Temporal.Instant | null;
  readonly startedByUid: string | null;
  readonly startedBy: string | null;
  readonly finishedAt: Temporal.Instant | null;
  readonly undoneAt: Temporal.Instant | null;
  readonly undoneBy: string | null;
  /** Until then a second person may approve its start, or its undoing once it is imported. */
  readonly waitsUntil: Temporal.Instant | null;
  /** When the work in progress last advanced. */
  readonly attempts: number;
}

/** The parts of the work on an import, each with its own count of what is done. */
export type Phase = "check" | "import" | "undo";

/** What is done of a phase. Points are not negative. */
export interface PhaseTotals {
  readonly phase: Phase;
  readonly rowCount: bigint;
  readonly validCount: bigint;
  /** Of a file of customers: valid rows that make one, and those that change one. */
  readonly createdCount: bigint;
  readonly changedCount: bigint;
  readonly pointsAdded: bigint;
  readonly pointsTaken: bigint;
}

export const DEFAULT_OPTIONS: ImportOptions = {
  origin: "migration",
  extends: false,
  reasonType: null,
  note: null,
  matchByEmail: false,
  addsOnly: false,
  setsBalance: false,
  again: false,
  asOf: null,
  move: null,
  vendor: null,
  source: null,
  days: "year_first",
  keepTiersUntil: null,
};

/** How long an import can be undone. */
export const UNDO_DAYS = 90;

/** Rows that are checked together. */
export const CHECK_ROWS = 2_000;
/** A batch of the check ends sooner where its rows have so many cells and characters. */
export const CHECK_SIZE_MAX = 1_000_000;

/** A part that was begun so often without any progress ends with an error. */
export const ATTEMPTS_MAX = 5;

/** Buckets are shared out among so many shards, which are worked beside each other. */
export const SHARDS = 4;
const BUCKETS = 256;

/** The buckets of a shard, both included. */
export function bucketsOf(shard: number): { readonly first: number; readonly last: number } {
  const size = BUCKETS / SHARDS;
  return { first: shard * size, last: (shard + 1) * size - 1 };
}

/** Whether a second person has to decide on its start or its undoing, so that it stays as it is. */
export function isHeld({ waitsUntil }: Pick<CsvImport, "waitsUntil">, now: Temporal.Instant): boolean {
  return waitsUntil !== null && Temporal.Instant.compare(now, waitsUntil) < 0;
}

/** A file with what is done of it. */
export interface CountedFile {
  readonly file: CsvImport;
  readonly totals: readonly PhaseTotals[];
}

/** What a file of points moves when it is started, or undone once it is imported. */
export function fileTotal(counted: CountedFile): Moved {
  const done = doneOf(counted);
  const moved = { given: done?.pointsAdded ?? 0n, taken: done?.pointsTaken ?? 0n };
  return counted.file.state === "imported" ? reversed(moved) : moved;
}

/** What is done of the phase before the next one: of the check, or of the import once it is imported. */
export function doneOf({ file, totals }: CountedFile): PhaseTotals | undefined {
  return totals.find(({ phase }) => phase === (file.state === "imported" ? "import" : "check"));
}

/** The natural key of a row's points, and of the allotment that undoes it (program.md 3). */
export function rowKey(importUid: string, n: number): string {
  return `csv/${importUid}/${n}`;
}

/** The `action` of an import's allotments: what lists them together. */
export function importAction(importUid: string): string {
  return `import-${importUid}`;
}

export function importUndoKey(importUid: string, n: number): string {
  return `csv_undo/${importUid}/${n}`;
}
