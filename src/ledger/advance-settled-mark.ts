import type { Db } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readFloor } from "./batch-queries.ts";

/**
 * The settled mark: an instant such that no allotment at or before it can still appear. A reader that never passes it
 * misses nothing, though transactions commit out of order.
 *
 * How it moves: a floor is published, and every batch that reads it allots strictly after it. A batch that read the old
 * floor had taken its locks, and so its transaction number, before; once all transactions that ran when the floor was
 * published have ended, the floor is settled. No clock of any node is trusted, and the write path only reads one row.
 */
export interface SettledMark {
  readonly settledAt: Temporal.Instant | null;
}

const SETTLE = `update ledger_mark
set settled_at = floor_at,
  floor_xid = null
where floor_xid is not null
  and pg_snapshot_xmin(pg_current_snapshot()) >= floor_xid`;

// The newest allotment counts too: a clock that stands still (the sandbox) or goes back must not hold the mark up.
const PUBLISH_FLOOR = `update ledger_mark
set floor_at = greatest(floor_at, $1, (select max(allotted_at) from allotment))
where floor_xid is null
  and settled_at = floor_at`;

// This statement's own number: a snapshot's xmax is only past what has ended, and may not cover a batch that began while the
// floor was being committed.
const NOTE_TRANSACTIONS = `update ledger_mark
set floor_xid = pg_current_xact_id()
where floor_xid is null
  and settled_at < floor_at
  and floor_at = $1`;

const READ = `select settled_at as "settledAt" from ledger_mark`;

/** Moves the settled mark as far as it goes at this moment and answers it. Safe to run from many nodes at once. */
export async function advanceSettledMark(deps: { db: Db; clock: Deps["clock"] }): Promise<SettledMark> {
  const { db, clock } = deps;
  await db.execute(SETTLE);
  await db.execute(PUBLISH_FLOOR, [clock.now()]);
  const floorAt = await readFloor(db);
  // A statement later than the floor's commit: whoever has not seen this floor holds a lower number. Naming the floor keeps a
  // statement that waited for another node from noting its own, older, number for a newer floor.
  if (floorAt !== null) await db.execute(NOTE_TRANSACTIONS, [floorAt]);
  await db.execute(SETTLE);
  const rows = await db.query<SettledMark>(READ);
  return rows[0] ?? { settledAt: null };
}
