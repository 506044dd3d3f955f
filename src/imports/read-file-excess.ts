import { type Excess, fileExcess, type Moved, needsApproval } from "../allowance/allowance.ts";
import { readDayMoved, readLargestMoved } from "../allowance/queries.ts";
import type { Queryable } from "../db/pool.ts";
import { readProgram } from "../program/read-program.ts";
import { type CsvImport, doneOf, fileTotal, type PhaseTotals } from "./csv-import.ts";

/** An import, or its undoing, that a person asks for. */
export interface AskedFile {
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
  /** What it moves in all. */
  readonly total: Moved;
  /** The most of one customer, with what the person moved of that customer before. */
  readonly largest: bigint;
  /** What the person moved of all customers before. */
  readonly day: Moved;
}

/**
 * Whether a file of points, or one of another app, or its undoing once it is imported, is more than its person may move alone; null: it is not. Undoing
 * is a movement of its own: it uses the allowance of the person who undoes, in the other direction. To be called under
 * `lockMover`, except for a preview.
 */
export async function readFileExcess(queryable: Queryable, asked: AskedFile): Promise<FileOverLimit | null> {
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
  // whom a file of another app gives most is not known before it is taken apart: all of it counts as one customer's
  const largest =
    file.kind === "move"
      ? most
      : isPlain
        ? alone
        : await readLargestMoved(queryable, { importUid: file.uid, isUndo }, { staffUid, now });
  // what a balance to set takes, and which debt it settles, is known once it is set: any such file is for a second person to approve
  const isUnknown = file.options.setsBalance && !isUndo;
  const unlimited = limits.approvalLimit === null ? "day" : "customer";
  const excess = isUnknown ? unlimited : fileExcess(limits, { total, largest }, day);
  return excess === null ? null : { kind: "over_limit", excess, rows, total, largest, day };
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
