import type { ReadDb } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";
import { advanceSettledMark, type SettledMark } from "./advance-settled-mark.ts";

/** A node's readers move the mark at most so often. */
const ADVANCE_EVERY_MS = 100;

/** When this node's readers may move the mark of a database again, by the machine's clock. */
const advanceFromMs = new WeakMap<ReadDb, number>();

const READ = `select settled_at as "settledAt",
  (select max(allotted_at) from allotment) > settled_at as "isBehind"
from ledger_mark`;

/**
 * Returns the settled mark. Writes nothing where every allotment is settled, or where a reader of this node moved the mark less than
 * 100 ms ago: an older mark shows less and skips nothing. Of a replica the mark that it has: a worker moves the primary's each second.
 */
export async function readSettledMark(deps: Pick<ReadDeps, "db" | "clock" | "isReplica">): Promise<SettledMark> {
  const [mark] = await deps.db.query<SettledMark & { isBehind: boolean | null }>(READ);
  if (mark === undefined) return { settledAt: null };
  if (deps.isReplica === true || mark.isBehind !== true || !mayAdvance(deps.db)) return { settledAt: mark.settledAt };
  return advanceSettledMark(deps);
}

function mayAdvance(db: ReadDb): boolean {
  const nowMs = performance.now();
  if (nowMs < (advanceFromMs.get(db) ?? 0)) return false;
  advanceFromMs.set(db, nowMs + ADVANCE_EVERY_MS);
  return true;
}
