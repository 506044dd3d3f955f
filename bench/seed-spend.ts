import type { Db } from "../src/db/pool.ts";

/** Each customer's orders: half of the amounts reach the next tier. */
const SPEND = `insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor)
select 'o' || o.n || '-' || c.storefront_id,
  c.bucket,
  c.customer_uid,
  $1::timestamptz + make_interval(days => o.n * 5),
  (hashint8(c.storefront_id::bigint) & 65535)
from customer c
cross join generate_series(0, $2::integer - 1) as o (n)`;

const PLACE = `insert into customer_tier (bucket, customer_uid, tier_uid, changed_at)
select c.bucket, c.customer_uid, $1, $2
from customer c
where c.storefront_id::bigint % 2 = 0`;

/** Adds orders of every customer, 5 days apart from an instant, and an own tier for half of the customers. */
export async function seedSpend(
  db: Db,
  { from, orders, tierUid }: { readonly from: Temporal.Instant; readonly orders: number; readonly tierUid: string },
): Promise<void> {
  await db.execute(SPEND, [from, orders]);
  await db.execute(PLACE, [tierUid, from]);
  await db.execute("vacuum analyze order_spend, customer_tier");
}
