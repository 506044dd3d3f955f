import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";

const LOCK_ORDERS = `select o.order_id
from store_order o
where o.bucket = $1
  and o.customer_uid = $2
order by o.order_id
for no key update of o`;

// The rules by which an order earns stay: its snapshot is renamed, otherwise it would be taken again for the other customer's tier.
const MOVE_ORDERS = `update store_order
set bucket = $3,
  customer_uid = $4::uuid,
  rules_for = replace(rules_for, $2::text, $4::text),
  due_at = coalesce(due_at, $5)
where bucket = $1
  and customer_uid = $2::uuid`;

const MOVE_SPEND = `update order_spend
set bucket = $3,
  customer_uid = $4
where bucket = $1
  and customer_uid = $2`;

const MOVE_TASKS = `update staff_task
set bucket = $3,
  customer_uid = $4
where bucket = $1
  and customer_uid = $2
  and done_at is null`;

// The orders whose coupons have an owner again, once the deletion is undone. Those of the survivor that named a returned coupon, which an order does not
// use while its customer is deleted (`claimCoupons`): it takes the points now. And everybody's that used a coupon of the deleted customer, or of one who
// had been merged into the deleted one before: if it was cancelled meanwhile, it gives the points back now.
const WITH_COUPONS = `select o.order_id
  from store_order o
  where o.bucket = $1
    and o.customer_uid = $2
    and exists (
      select
      from jsonb_array_elements(o.facts->'codes') f
      join coupon c on c.code = upper(f->>'code')
      where c.returned_points > 0
        and not exists (select from coupon_use u where u.coupon_uid = c.uid))
  union all
  select u.order_id
  from unnest($3::smallint[], $4::uuid[]) as w (bucket, customer_uid)
  join coupon c on c.bucket = w.bucket and c.customer_uid = w.customer_uid
  join coupon_use u on u.coupon_uid = c.uid`;

// Those of the removed customer too, all by their ids, like everything that locks several orders.
const LOCK_WITH_COUPONS = `select
from store_order k
where k.order_id = any(array(
  select r.order_id
  from unnest($3::smallint[], $4::uuid[]) as w (bucket, customer_uid)
  join store_order r on r.bucket = w.bucket and r.customer_uid = w.customer_uid
  union all
  ${WITH_COUPONS}))
order by k.order_id
for no key update of k`;

const MAKE_DUE = `update store_order k
set due_at = least(k.due_at, $5)
where k.order_id = any(array(${WITH_COUPONS}))`;

/**
 * Gives a merged customer's orders, their spend and the open tasks to the surviving one (program.md 3 and 6). The orders' postings stay
 * where they were. Call it before the balances are locked, because orders are locked first, and again afterwards: an order that arrived in
 * between is moved too, and no more can arrive. `dueAt`: if the merge undoes a deletion, the time at which the orders are posted again, so
 * that points that had no recipient meanwhile are given, with those that used a coupon of the customer and the survivor's that may have used a returned
 * one; null: the postings stay as they are.
 */
export async function moveOrders(
  tx: Tx,
  removed: CustomerRef,
  kept: CustomerRef,
  dueAt: Temporal.Instant | null,
): Promise<void> {
  const from = [removed.bucket, removed.customerUid];
  const to = [kept.bucket, kept.customerUid];
  const params = [...from, ...to];
  const ofBoth = dueAt === null ? [] : [...to, ...refKeys([removed, ...(await readMerged(tx, removed))])];
  await (dueAt === null ? tx.query(LOCK_ORDERS, from) : tx.query(LOCK_WITH_COUPONS, ofBoth));
  await Promise.all([
    tx.execute(MOVE_ORDERS, [...params, dueAt]),
    tx.execute(MOVE_SPEND, params),
    tx.execute(MOVE_TASKS, params),
  ]);
  if (dueAt !== null) await tx.execute(MAKE_DUE, [...ofBoth, dueAt]);
}
