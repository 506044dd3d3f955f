import { lockMover } from "../allowance/queries.ts";
import { recordMovement } from "../allowance/record-movement.ts";
import type { Tx } from "../db/pool.ts";
import { type CsvImport, fileTotal, type ImportState, type PhaseTotals, type StaffPerson } from "./csv-import.ts";
import { lockImportIn } from "./lock-import-in.ts";
import { selectTotals } from "./queries.ts";
import { type FileOverLimit, type FileToStart, readFileExcess } from "./read-file-excess.ts";

/** The person in whose name a file is started or undone. */
export interface Starting {
  readonly by: StaffPerson;
  /** Whether a second person approved it; otherwise it must be within the person's own allowance. */
  readonly isApproved: boolean;
}

/** Started, so that a worker does it; or above the person's allowance, and nothing was written. */
export type Started = { readonly kind: "started" } | (FileOverLimit & { readonly file: CsvImport });

export interface StartableFile {
  readonly file: CsvImport;
  readonly totals: readonly PhaseTotals[];
  /** Set if it is above the person's allowance: the file is not changed. Null: it may be started, and its movement is recorded. */
  readonly over: (FileOverLimit & { readonly file: CsvImport }) | null;
}

/**
 * Locks an import that is to be started or undone, and records what a file of points moves as a movement of its person, unless a second person
 * approved it. `check` refuses imports that cannot be started at all. Throws the errors of `check` and `lockImportIn`.
 */
export async function lockToStart(
  tx: Tx,
  uid: string,
  { by, isApproved }: Starting,
  {
    state,
    now,
    check,
  }: {
    readonly state: ImportState;
    readonly now: Temporal.Instant;
    readonly check: (file: CsvImport, totals: readonly PhaseTotals[]) => void | Promise<void>;
  },
): Promise<StartableFile> {
  if (!isApproved) await lockMover(tx, by.uid);
  const file = await lockImportIn(tx, uid, { states: [state], now, isApproved });
  const totals = (await selectTotals(tx, [uid])).get(uid) ?? [];
  await check(file, totals);
  const over = isApproved ? null : await recordWithin(tx, { file, totals, staffUid: by.uid, now });
  return { file, totals, over: over === null ? null : { ...over, file } };
}

/** Returns null if the file is within the allowance, or moves no points. */
async function recordWithin(tx: Tx, asked: FileToStart): Promise<FileOverLimit | null> {
  const { file, staffUid, now } = asked;
  if (file.kind !== "points" && file.kind !== "move") return null;
  const over = await readFileExcess(tx, asked);
  if (over !== null) return over;
  const of = { importUid: file.uid, isUndo: file.state === "imported" };
  await recordMovement(tx, { staffUid, at: now, of, ...fileTotal(asked) });
  return null;
}
