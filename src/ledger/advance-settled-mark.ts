import type { Db } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { advanceDistributedMark } from "./advance-distributed-mark.ts";
import { readWatermark } from "./batch-queries.ts";

/**
 * The settled mark: an instant such that no allotment at or before it can still appear. A reader that never passes it
 * misses nothing, though transactions commit out of order.
 *
 * How it moves: a watermark is published (`floor_at`), and every batch that reads it allots strictly after it. A batch that read
 * the old watermark had taken its locks, and so its transaction number, before; once all transactions that ran when the watermark
 * was published have ended, it is settled. No clock of any node is trusted, and the write path only reads one row.
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
const PUBLISH_WATERMARK = `update ledger_mark
set floor_at = greatest(floor_at, $1, (select max(allotted_at) from allotment))
where floor_xid is null
  and settled_at = floor_at`;

// This statement's own number: a snapshot's xmax is only past what has ended, and may not cover a batch that began while the
// watermark was being committed.
const NOTE_TRANSACTIONS = `update ledger_mark
set floor_xid = pg_current_xact_id()
where floor_xid is null
  and settled_at < floor_at
  and floor_at = $1`;

const READ = `select settled_at as "settledAt" from ledger_mark`;

/** Moves the settled mark as far as it goes at this moment and returns it. Safe to run from many nodes at once. */
export async function advanceSettledMark(deps: { db: Db; clock: Deps["clock"] }): Promise<SettledMark> {
  const { db, clock } = deps;
  if (await db.isDistributed()) return advanceDistributedMark(db, clock.now());
  await db.execute(SETTLE);
  await db.execute(PUBLISH_WATERMARK, [clock.now()]);
  const watermarkAt = await readWatermark(db);
  // A statement later than the watermark's commit: whoever has not seen this watermark holds a lower number. Naming it keeps a
  // statement that waited for another node from noting its own, older, number for a newer watermark.
  if (watermarkAt !== null) await db.execute(NOTE_TRANSACTIONS, [watermarkAt]);
  await db.execute(SETTLE);
  const rows = await db.query<SettledMark>(READ);
  return rows[0] ?? { settledAt: null };
}
