import type { Tx } from "../db/pool.ts";

// Converts through jsonb, which keeps the digits of every number.
const ERASE_PAYLOADS = `update outbox_event e
set payload = (e.payload::jsonb || '{"name": null, "birthday": null}')::text
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where e.bucket = k.bucket
  and e.customer_uid = k.customer_uid
  and e.topic = 'point_balance/update'`;

// Events have no index by customer: those of a bucket are read, a 256th of all.
const ERASE_ANSWERS = `update attempt a
set answer_head = null
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join outbox_event e on e.bucket = k.bucket and e.customer_uid = k.customer_uid
where a.bucket = e.bucket
  and a.delivery_uid = e.uid
  and a.answer_head is not null`;

// A delivery of an export contains no customer, but its receiver's response may name one.
const ERASE_ANSWERS_OF_EXPORTS = `update attempt a
set answer_head = null
from outbox_event e
where e.topic = 'point_balances/export'
  and a.bucket = e.bucket
  and a.delivery_uid = e.uid
  and a.answer_head is not null`;

const eraseAcknowledged = (which: string) => `update acknowledgement k
set answer_heads = array(
  select case when e.topic = 'point_balances/export' or (e.bucket, e.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
    then null else one.answer_head end
  from unnest(k.buckets, k.uids, k.answer_heads) with ordinality as one (bucket, uid, answer_head, n)
  left join outbox_event e on e.bucket = one.bucket and e.uid = one.uid
  order by one.n)
where ${which}`;

const ERASE_ACKNOWLEDGED = eraseAcknowledged(`k.event_at in (
    select e.inserted_at
    from unnest($1::smallint[], $2::uuid[]) as of_customer (bucket, customer_uid)
    join outbox_event e on e.bucket = of_customer.bucket and e.customer_uid = of_customer.customer_uid)`);
const ERASE_ACKNOWLEDGED_OF_EXPORTS = eraseAcknowledged("k.topic = 'point_balances/export'");

/** Removes names and birthdays of customers from events that were or will be delivered, and from the answers of receivers. */
export async function eraseEvents(
  tx: Tx,
  refs: readonly { readonly bucket: number; readonly customerUid: string }[],
): Promise<void> {
  const keys = [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)];
  await Promise.all([
    tx.execute(ERASE_PAYLOADS, keys),
    tx.execute(ERASE_ANSWERS, keys),
    tx.execute(ERASE_ANSWERS_OF_EXPORTS),
    tx.execute(ERASE_ACKNOWLEDGED, keys),
    tx.execute(ERASE_ACKNOWLEDGED_OF_EXPORTS, keys),
  ]);
}
