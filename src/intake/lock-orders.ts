import type { Tx } from "../db/pool.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";

// A guest's order takes this lock before it looks for its customer; so does a customer who is given such orders.
const LOCK_EMAILS = `select pg_advisory_xact_lock(hashtextextended('order-email/' || e.email, 0))
from (
  select unnest($1::text[]) as email
  union
  select email
  from store_order
  where order_id = any($2)
    and customer_uid is null
    and email is not null
  order by 1) e`;

const LOCK_ORDERS = `select
from store_order
where order_id = any($2)
  or (email = any($1) and customer_uid is null)
order by order_id
for no key update`;

/**
 * Locks the rows that events will change, in the order in which all transactions lock: e-mails of guests, orders, and only then balances.
 * Without this the result would be the same, but with deadlocks and repetitions: an order's delivery states its customer first, a customer
 * may be given the guests' orders of its e-mail, and a guest's order looks for its customer.
 */
export async function lockOrders(tx: Tx, events: readonly NeutralEvent[]): Promise<void> {
  const orderIds = events.flatMap(({ payload }) => ("orderId" in payload ? [payload.orderId] : []));
  const emails = events.flatMap(emailOf).map((email) => email.toLowerCase());
  if (orderIds.length + emails.length === 0) return;
  await Promise.all([tx.query(LOCK_EMAILS, [emails, orderIds]), tx.query(LOCK_ORDERS, [emails, orderIds])]);
}

/** Returns the e-mail by which an event may connect a customer and a guest's order. */
function emailOf({ payload }: NeutralEvent): string[] {
  const isCustomersOrder = "orderId" in payload && "customerId" in payload && Boolean(payload.customerId);
  if (isCustomersOrder || !("email" in payload)) return [];
  return payload.email ? [payload.email] : [];
}
