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

// While two customers have an e-mail, neither is given the orders that wait under it.
const LOCK_ORDERS = `select
from store_order
where order_id = any($2)
  or (customer_uid is null
    and email = any(array(
      select g.email
      from unnest($1::text[]) as g (email)
      where (
        select count(*)
        from (
          select
          from customer c
          where c.email = g.email
            and c.deleted_at is null
          limit 2) holder) < 2)))
order by order_id
for no key update`;

/**
 * Locks the rows that events will change, in the order in which all transactions lock: e-mails of guests, orders, and only then balances.
 * Without this the result would be the same, but with deadlocks and repetitions: an order's delivery states its customer first, a customer
 * may be given the guests' orders of its e-mail, and a guest's order looks for its customer. Of the orders that wait under an e-mail, which may be very
 * many if a shop uses one address for all its guests, only the event of a customer changes any.
 */
export async function lockOrders(tx: Tx, events: readonly NeutralEvent[]): Promise<void> {
  const orderIds = events.flatMap(({ payload }) => ("orderId" in payload ? [payload.orderId] : []));
  const emailsOf = (some: readonly NeutralEvent[]) => some.flatMap(emailOf).map((email) => email.toLowerCase());
  const emails = emailsOf(events);
  if (orderIds.length + emails.length === 0) return;
  const ofCustomers = emailsOf(events.filter(({ payload }) => !("orderId" in payload)));
  await Promise.all([tx.query(LOCK_EMAILS, [emails, orderIds]), tx.query(LOCK_ORDERS, [ofCustomers, orderIds])]);
}

/** Returns the e-mail by which an event may connect a customer and a guest's order. */
function emailOf({ payload }: NeutralEvent): string[] {
  const isCustomersOrder = "orderId" in payload && "customerId" in payload && Boolean(payload.customerId);
  if (isCustomersOrder || !("email" in payload)) return [];
  return payload.email ? [payload.email] : [];
}
