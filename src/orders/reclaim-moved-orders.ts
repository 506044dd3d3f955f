import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";

// What an order lost with the balance of a deleted customer counts as taken from them (`capped`). What a customer owes (`owed`) counts too, and stays owed.
const LOST = `(p.bucket, p.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
  and p.outcome = 'capped'
  and p.taken_elsewhere > 0`;

const LOCK = `select
from store_order o
where o.order_id = any(array(
  select p.order_id
  from order_posting p
  where ${LOST}))
order by o.order_id
for no key update of o`;

const RECLAIM = `update order_posting p
set wanted = p.wanted + p.taken_elsewhere,
  taken_elsewhere = 0
where ${LOST}
returning p.order_id as "orderId"`;

const MAKE_DUE = `update store_order
set due_at = least(due_at, $2)
where order_id = any($1)`;

/**
 * Makes orders that moved to others after a customer's deletion count what a merge brings back to that customer (decision 17): their new
 * customers got it as well. It no longer counts as taken, so each order takes it back when it is posted again at `dueAt`. Call it with null
 * before the balances are locked, which only locks the orders, and again afterwards.
 */
export async function reclaimMovedOrders(tx: Tx, removed: CustomerRef, dueAt: Temporal.Instant | null): Promise<void> {
  const keys = refKeys([removed, ...(await readMerged(tx, removed))]);
  await tx.query(LOCK, keys);
  if (dueAt === null) return;
  const orders = await tx.query<{ orderId: string }>(RECLAIM, keys);
  if (orders.length > 0) await tx.execute(MAKE_DUE, [orders.map(({ orderId }) => orderId), dueAt]);
}
