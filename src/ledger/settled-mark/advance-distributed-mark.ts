import { hasCommittedEverywhere } from "../../db/citus/has-committed-everywhere.ts";
import type { ReadDb } from "../../db/pool.ts";
import type { SettledMark } from "./advance-settled-mark.ts";

interface MarkRow extends SettledMark {
  readonly watermarkAt: Temporal.Instant;
  /** The transactions that ran when the watermark was published have been recorded. */
  readonly isNoted: boolean;
  /** All of them have ended on the coordinator. */
  readonly hasEnded: boolean | null;
}

const READ = `select settled_at as "settledAt",
  floor_at as "watermarkAt",
  floor_xid is not null as "isNoted",
  pg_snapshot_xmin(pg_current_snapshot()) >= floor_xid as "hasEnded"
from ledger_mark`;

const SETTLE = `update ledger_mark
set settled_at = floor_at,
  floor_xid = null
where floor_xid is not null
  and floor_at = $1
  and pg_snapshot_xmin(pg_current_snapshot()) >= floor_xid`;

const READ_NEWEST = `select greatest((select max(allotted_at) from allotment),
  (select max(fed_at) from tier_change where fed_at is not null)) as "newestAt"`;

const PUBLISH_WATERMARK = `update ledger_mark
set floor_at = greatest(floor_at, $1, $2)
where floor_xid is null
  and settled_at = floor_at`;

const NOTE_TRANSACTIONS = `update ledger_mark
set floor_xid = pg_current_xact_id()
where floor_xid is null
  and settled_at < floor_at
  and floor_at = $1`;

/**
 * `advanceSettledMark` for Citus. There a transaction ends on the coordinator a moment before its rows are visible on the workers, so the
 * mark moves only when the workers have none of these transactions prepared any more. A worker that does not answer delays the mark.
 */
export async function advanceDistributedMark(db: ReadDb, now: Temporal.Instant): Promise<SettledMark> {
  await settle(db);
  const [newest] = await db.query<{ newestAt: Temporal.Instant | null }>(READ_NEWEST);
  await db.execute(PUBLISH_WATERMARK, [now, newest?.newestAt ?? null]);
  const [published] = await db.query<MarkRow>(READ);
  if (published !== undefined && !published.isNoted) await db.execute(NOTE_TRANSACTIONS, [published.watermarkAt]);
  await settle(db);
  const [row] = await db.query<MarkRow>(READ);
  return { settledAt: row?.settledAt ?? null };
}

async function settle(db: ReadDb): Promise<void> {
  const [row] = await db.query<MarkRow>(READ);
  if (row?.hasEnded === true && (await hasCommittedEverywhere(db))) await db.execute(SETTLE, [row.watermarkAt]);
}
