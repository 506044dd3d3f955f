import type { ReadDb } from "../../db/pool.ts";
import type { ReadDeps } from "../../deps.ts";
import { advanceSettledMark, type SettledMark } from "./advance-settled-mark.ts";

/** The minimum interval at which a node's readers move the mark. */
const ADVANCE_EVERY_MS = 100;

/** When this node's readers may move the mark of a database again, by the machine's clock. */
const advanceFromMs = new WeakMap<ReadDb, number>();

const READ = `select settled_at as "settledAt",
  greatest((select max(allotted_at) from allotment),
    (select max(fed_at) from tier_change where fed_at is not null)) > settled_at as "isBehind"
from ledger_mark`;

/**
 * Returns the settled mark. Writes nothing if everything is settled, or if a reader of this node moved the mark less than 100 ms ago: an older
 * mark shows less and skips nothing. On a replica, returns the replica's mark: a worker moves the primary's each second.
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
