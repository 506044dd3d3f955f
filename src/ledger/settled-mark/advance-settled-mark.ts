import type { ReadDb } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { advanceDistributedMark } from "./advance-distributed-mark.ts";

/**
 * The settled mark: an instant at or before which no new allotment, and no new change of a tier (by `fed_at`), can appear. A reader that never passes
 * it misses nothing, although transactions commit out of order.
 *
 * How it moves: a watermark is published (`floor_at`), and every batch that reads it allots strictly after it. A batch that read the old
 * watermark had taken its locks, and so its transaction number, earlier. The watermark is settled once all transactions that ran when it was
 * published have ended. No node's clock is trusted, and the write path only reads one row.
 */
export interface SettledMark {
  readonly settledAt: Temporal.Instant | null;
}

interface MarkRow extends SettledMark {
  /** A published watermark for which the running transactions have not been recorded yet; null: there is none. */
  readonly openAt: Temporal.Instant | null;
}

const RETURNED = `settled_at as "settledAt",
  case when floor_xid is null and settled_at < floor_at then floor_at end as "openAt"`;

// Settles the published watermark if possible, and publishes the next one in the same statement.
// The newest allotment and change of a tier count too: a clock that stands still (the sandbox) or goes back must not stop the mark.
const SETTLE_AND_PUBLISH = `with moved as (
  update ledger_mark
  set settled_at = floor_at,
    floor_xid = null,
    floor_at = greatest(floor_at, $1, (select max(allotted_at) from allotment),
      (select max(fed_at) from tier_change where fed_at is not null))
  where case when floor_xid is null then settled_at = floor_at
    else pg_snapshot_xmin(pg_current_snapshot()) >= floor_xid end
  returning ${RETURNED})
select * from moved
union all
select ${RETURNED}
from ledger_mark
where not exists (select from moved)`;

// The snapshot is older than the transaction's own number: if nothing ran below that number, the watermark is settled at once.
const IS_ALONE = "pg_snapshot_xmin(pg_current_snapshot()) >= pg_current_xact_id()";

// Records this statement's own transaction number. The xmax of a snapshot is only past transactions that have ended, and may not cover a
// batch that began while the watermark was being committed. This runs after the watermark's commit, so a transaction that has not seen the
// watermark has a lower number. The condition names the watermark: a statement that waited for another node must not record its own, older,
// number for a newer watermark.
const NOTE_TRANSACTIONS = `update ledger_mark
set settled_at = case when ${IS_ALONE} then floor_at else settled_at end,
  floor_xid = case when ${IS_ALONE} then null else pg_current_xact_id() end
where floor_xid is null
  and settled_at < floor_at
  and floor_at = $1
returning ${RETURNED}`;

/** Moves the settled mark as far as possible at this moment and returns it. Safe to run from many nodes at once. */
export async function advanceSettledMark(deps: { db: ReadDb; clock: Deps["clock"] }): Promise<SettledMark> {
  const { db, clock } = deps;
  if (await db.isDistributed()) return advanceDistributedMark(db, clock.now());
  const [row] = await db.query<MarkRow>(SETTLE_AND_PUBLISH, [clock.now()]);
  if (row === undefined) return { settledAt: null };
  const [noted] = row.openAt === null ? [] : await db.query<MarkRow>(NOTE_TRANSACTIONS, [row.openAt]);
  return { settledAt: (noted ?? row).settledAt };
}
