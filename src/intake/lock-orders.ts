import type { Tx } from "../db/pool.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";

// The lock that a guest's order takes before it looks for its customer, and a customer who is given such orders.
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
 * Locks what events will change, in the order in which all transactions lock: e-mails of guests, orders, and only then balances. An order's delivery
 * states its customer first, a customer may be given the guests' orders of its e-mail, and a guest's order looks for its
 * customer: without this the work would end the same, but by deadlocks and repetition.
 */
export async function lockOrders(tx: Tx, events: readonly NeutralEvent[]): Promise<void> {
  const orderIds = events.flatMap(({ payload }) => ("orderId" in payload ? [payload.orderId] : []));
  const emails = events.flatMap(emailOf).map((email) => email.toLowerCase());
  if (orderIds.length + emails.length === 0) return;
  await Promise.all([tx.query(LOCK_EMAILS, [emails, orderIds]), tx.query(LOCK_ORDERS, [emails, orderIds])]);
}

/** The e-mail by which an event may bring a customer and a guest's order together. */
function emailOf({ payload }: NeutralEvent): string[] {
  const isCustomersOrder = "orderId" in payload && "customerId" in payload && Boolean(payload.customerId);
  if (isCustomersOrder || !("email" in payload)) return [];
  return payload.email ? [payload.email] : [];
}
