import { type Moved, reversed } from "../allowance/allowance.ts";
import type { Encoding, Separator, UploadKind } from "../wire/import-fields.ts";
import type { Columns } from "./read/columns.ts";
import type { ImportOptions } from "./read/row-values.ts";

/** The state of an import. `uploaded`: to be mapped; `checked`: can be started; in the states that end in -ing one node works on it. */
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

/** The person who acts. */
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

/** A file of points, tiers or customers, and its state. */
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
  /** An estimate. */
  readonly lineCount: number | null;
  readonly options: ImportOptions;
  /** For a file of customers: whether all its rows have stored what undoing them needs. */
  readonly keepsChanges: boolean;
  /** For another app's file: the sums of its check, as the folder that reads such files stores them; null: not checked. */
  readonly survey: unknown;
  /** Why the file could not be read with these settings; null: it could, or it was not tried. */
  readonly error: string | null;
  readonly unreadableLine: number | null;
  readonly customerCount: bigint | null;
  /** Rows about which the check warns. */
  readonly warningCount: bigint | null;
  /** The most points that the rows of one customer add or take, according to the check. */
  readonly largestPoints: bigint | null;
  readonly checkedByUid: string | null;
  readonly startedAt: Temporal.Instant | null;
  readonly startedByUid: string | null;
  readonly startedBy: string | null;
  readonly finishedAt: Temporal.Instant | null;
  readonly undoneAt: Temporal.Instant | null;
  readonly undoneBy: string | null;
  /** Until when a second person may approve its start, or its undoing once it is imported. */
  readonly waitsUntil: Temporal.Instant | null;
  /** When the work in progress last advanced. */
  readonly attempts: number;
}

/** The phases of the work on an import, each with its own counts. */
export type Phase = "check" | "import" | "undo";

/** The counts of a phase. Points are not negative. */
export interface PhaseTotals {
  readonly phase: Phase;
  readonly rowCount: bigint;
  readonly validCount: bigint;
  /** For a file of customers: valid rows that create one, and those that change one. */
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
  exactIds: false,
  setsBalance: false,
  again: false,
  asOf: null,
  move: null,
  vendor: null,
  source: null,
  days: "year_first",
  moveDays: null,
  keepTiersUntil: null,
};

/** How long an import can be undone. */
export const UNDO_DAYS = 90;

/**
 * Returns until when an import can be undone; null: it was not imported. Another app's file by its start: the imports that it consists of were
 * finished before it was, and each of them has to be undone.
 */
export function undoneUntil({
  kind,
  startedAt,
  finishedAt,
}: Pick<CsvImport, "kind" | "startedAt" | "finishedAt">): Temporal.Instant | null {
  const from = kind === "move" && finishedAt !== null ? startedAt : finishedAt;
  return from?.add({ hours: 24 * UNDO_DAYS }) ?? null;
}

/** Whether what is needed to undo an import is still stored. */
export function isUndoable(
  file: Pick<CsvImport, "kind" | "keepsChanges" | "startedAt" | "finishedAt">,
  now: Temporal.Instant,
): boolean {
  const until = undoneUntil(file);
  const isInTime = until === null || Temporal.Instant.compare(now, until) < 0;
  return isInTime && (file.kind !== "customers" || file.keepsChanges);
}

/** Rows that are checked together. */
export const CHECK_ROWS = 2_000;
/** A batch of the check ends earlier when its rows have this many cells and characters. */
export const CHECK_SIZE_MAX = 1_000_000;

/** A phase that was begun this often without any progress ends with an error. */
export const ATTEMPTS_MAX = 5;

/** The number of shards over which buckets are distributed, and which are processed in parallel. */
export const SHARDS = 4;
const BUCKETS = 256;

/** Returns the buckets of a shard, both included. */
export function bucketsOf(shard: number): { readonly first: number; readonly last: number } {
  const size = BUCKETS / SHARDS;
  return { first: shard * size, last: (shard + 1) * size - 1 };
}

/** Returns the shard of a bucket. */
export function shardOf(bucket: number): number {
  return Math.floor((bucket * SHARDS) / BUCKETS);
}

/** Whether a second person has to decide its start or its undoing, so that it must not change. */
export function isHeld({ waitsUntil }: Pick<CsvImport, "waitsUntil">, now: Temporal.Instant): boolean {
  return waitsUntil !== null && Temporal.Instant.compare(now, waitsUntil) < 0;
}

export interface CountedFile {
  readonly file: CsvImport;
  readonly totals: readonly PhaseTotals[];
}

/** Returns what a file of points moves when it is started, or when it is undone after its import. */
export function fileTotal(counted: CountedFile): Moved {
  const done = doneOf(counted);
  const moved = { given: done?.pointsAdded ?? 0n, taken: done?.pointsTaken ?? 0n };
  return counted.file.state === "imported" ? reversed(moved) : moved;
}

/** Returns the counts of the phase before the next one: of the check, or of the import once it is imported. */
export function doneOf({ file, totals }: CountedFile): PhaseTotals | undefined {
  return totals.find(({ phase }) => phase === (file.state === "imported" ? "import" : "check"));
}

/** Returns the natural key of a row's points, and of the allotment that undoes it (program.md 3). */
export function rowKey(importUid: string, n: number): string {
  return `csv/${importUid}/${n}`;
}

/** Returns the `action` of an import's allotments, by which they can be listed together. */
export function importAction(importUid: string): string {
  return `import-${importUid}`;
}

export function importUndoKey(importUid: string, n: number): string {
  return `csv_undo/${importUid}/${n}`;
}
