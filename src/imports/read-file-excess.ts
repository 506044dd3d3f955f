import { type Excess, fileExcess, type Moved, needsApproval } from "../allowance/allowance.ts";
import { readDayMoved, readLargestMoved } from "../allowance/queries.ts";
import type { Queryable } from "../db/pool.ts";
import { readProgram } from "../program/read-program.ts";
import { type CsvImport, doneOf, fileTotal, type PhaseTotals } from "./csv-import.ts";

/** An import, or its undoing, that a person requests. */
export interface FileToStart {
  readonly file: CsvImport;
  readonly totals: readonly PhaseTotals[];
  readonly staffUid: string;
  readonly now: Temporal.Instant;
}

/** What a file would move above its person's allowance. */
export interface FileOverLimit {
  readonly kind: "over_limit";
  readonly excess: Excess;
  readonly rows: bigint;
  /** What it moves in total. */
  readonly total: Moved;
  /** The most for one customer, including what the person moved for that customer before. */
  readonly largest: bigint;
  /** What the person moved for all customers before. */
  readonly day: Moved;
}

/**
 * Returns what a file of points, or one of another app, or undoing it after its import, moves above its person's allowance; null: it is within it.
 * Undoing is a separate movement: it uses the allowance of the person who undoes, in the other direction. Call it under `lockMover`, except for a
 * preview.
 */
export async function readFileExcess(queryable: Queryable, asked: FileToStart): Promise<FileOverLimit | null> {
  const { file, staffUid, now } = asked;
  if (file.kind !== "points" && file.kind !== "move") return null;
  const limits = (await readProgram(queryable)).staff;
  if (limits.approvalLimit === null && limits.dailyLimit === null) return null;
  const total = fileTotal(asked);
  const rows = doneOf(asked)?.validCount ?? 0n;
  const day = await readDayMoved(queryable, { staffUid, now });
  const most = max(total.given + day.given, total.taken + day.taken);
  const alone = file.largestPoints ?? 0n;
  const isPlain = !needsApproval(limits.approvalLimit, most, 0n) || needsApproval(limits.approvalLimit, alone, 0n);
  const isUndo = file.state === "imported";
  // Where not known, all of it counts as one customer's: to whom another app's file gives most, before it is split, and what balances were set from.
  const largest =
    file.kind === "move" || (isUndo && file.options.setsBalance)
      ? most
      : isPlain
        ? alone
        : await readLargestMoved(queryable, { importUid: file.uid, isUndo }, { staffUid, now });
  // what a balance to set takes, and which debt it settles, is known only once it is set: a second person has to approve any such file
  const isUnknown = file.options.setsBalance && !isUndo;
  const unlimited = limits.approvalLimit === null ? "day" : "customer";
  const excess = isUnknown ? unlimited : fileExcess(limits, { total, largest }, day);
  return excess === null ? null : { kind: "over_limit", excess, rows, total, largest, day };
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
