import type { Db, Queryable } from "../../db/pool.ts";
import type { Topic } from "../topics/index.ts";
import type { StoredCursor } from "./receiver-cursor.ts";

// After a server lost a write, batches are numbered again, perhaps differently: a cursor is moved only past batches from which it was read.
const NUMBER_BATCHES = `
select set_config('synchronous_commit', 'off', true), number_batches($1)
where exists (
  select
  from topic_batch
  where topic = $1
    and position is null)`;

/** Gives newly committed batches of a topic their positions, after all that have one. */
export async function numberBatches(queryable: Queryable, topic: Topic): Promise<void> {
  await queryable.query(NUMBER_BATCHES, [topic]);
}

const HAS_OLD_BATCHES = `
select
from event_batch
where subscription_uid = $1
limit 1`;

// `offset 0`: each event is found by its key. With statistics from a moment without events, a plan that joins reads all of them for each.
const ADOPT_BATCHES = `
with old as (
  delete from event_batch
  where (subscription_uid, uid) in (
    select b.subscription_uid, b.uid
    from event_batch b
    where b.subscription_uid = $1
    order by b.uid
    limit 100)
  returning subscription_uid, due_at, settled, buckets, uids)
insert into delivery (subscription_uid, bucket, uid, customer_uid, version, due_at)
select old.subscription_uid, one.bucket, one.uid, e.customer_uid, e.version, old.due_at
from old
cross join lateral unnest(old.buckets, old.uids) with ordinality as one (bucket, uid, n)
cross join lateral (
  select customer_uid, version
  from outbox_event
  where bucket = one.bucket
    and uid = one.uid
  offset 0) e
where (old.settled >> (one.n - 1)::integer) & 1 = 0
on conflict do nothing`;

/**
 * Gives events that an earlier version left in batches of this receiver their own rows, 100 batches per call; returns whether there were any. Plans
 * by keys: a plan from the time when there were no events would scan them for each batch.
 */
export async function unbatchEarlierEvents(
  db: Pick<Db, "query" | "txByKeys">,
  subscriptionUid: string,
): Promise<boolean> {
  if ((await db.query(HAS_OLD_BATCHES, [subscriptionUid])).length === 0) return false;
  await db.txByKeys((tx) => tx.execute(ADOPT_BATCHES, [subscriptionUid]));
  return true;
}

const TAKE_CURSOR = `
update receiver_cursor
set lease_uid = $2
where subscription_uid = $1
returning position, settled`;

/** Takes a receiver's cursor for the holder of its lease: from then on no other worker moves it. null: the subscription was deleted. */
export async function takeCursor(
  queryable: Queryable,
  subscriptionUid: string,
  leaseUid: string,
): Promise<StoredCursor | null> {
  const [row] = await queryable.query<StoredCursor>(TAKE_CURSOR, [subscriptionUid, leaseUid]);
  return row ?? null;
}
