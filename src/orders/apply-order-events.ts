import { createCustomers } from "../customers/create-customers.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { selectByStorefrontIds, selectCustomers } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { OrderSubjectEvent } from "./apply-order-event.ts";
import { isOrderStatement, mergeFacts } from "./facts/merge-facts.ts";
import { lockStoreOrders } from "./order-queries.ts";
import { postOrders } from "./post-orders.ts";
import type { StoreOrder } from "./store-order.ts";

/** The result for an event. "alone": nothing was written, and `applyOrderEvent` has to apply it in a separate transaction. */
export type TakenOrderEvent = "applied" | "waiting" | "alone";

/** An event and, if its sender also states the customer, the customer to whom the order must belong. */
export interface OwnedOrderEvent {
  readonly event: OrderSubjectEvent;
  readonly owner?: CustomerRow["customerUid"];
}

/** An order with its newest facts. */
interface StatedOrder {
  readonly order: StoreOrder;
  readonly isNew: boolean;
}

/**
 * Applies one event for each of several orders, like `applyOrderEvent`, with a fixed number of statements for any number of orders. Events
 * that need more are left alone: a guest's order, and an order that changes its customer, uses a coupon, or is a test. Locks the orders by
 * id, and then the balances of all their customers in key order. Returns the result of each event, in their order.
 */
export async function applyOrderEvents(
  tx: Tx,
  deps: PostingDeps,
  events: readonly OwnedOrderEvent[],
): Promise<readonly TakenOrderEvent[]> {
  const ids = events.map(({ event }) => event.payload.orderId);
  const known = await lockStoreOrders(tx, ids);
  const now = deps.clock.now();
  const seen = new Set<string>();
  const stated = events.map(({ event, owner }) => {
    const { orderId } = event.payload;
    if (seen.has(orderId)) return "alone"; // it builds on what the event before it comes to
    seen.add(orderId);
    const one = statedOrder(event, known.get(orderId), now);
    return typeof one === "string" ? one : { ...one, owner: owner ?? null };
  });
  const open = stated.filter((one) => typeof one !== "string");
  const customers = await findCustomers(tx, deps, open);
  const owned = open.flatMap((one, i) => {
    const customer = customers[i];
    if (customer === undefined || customer.deletedAt !== null) return [];
    return one.owner === null || one.owner === customer.customerUid ? [{ ...one, customer }] : [];
  });
  const posted = await postOrders(tx, deps, owned);
  return stated.map((one) => {
    if (typeof one === "string") return one;
    return posted.has(one.order.orderId) ? "applied" : "alone";
  });
}

/** Returns the order after an event, or the event's result if there is nothing to post or the event needs more than the order. */
function statedOrder(
  event: OrderSubjectEvent,
  known: StoreOrder | undefined,
  now: Temporal.Instant,
): StatedOrder | TakenOrderEvent {
  if (event.type === "OrderEdited" || event.type === "OrderDeleted") return "applied";
  if (known === undefined && !isOrderStatement(event)) return "waiting";
  const facts = mergeFacts(known?.facts ?? null, event);
  const { orderId } = facts;
  const opened = { orderId, platform: event.platform, receivedAt: now, customer: null, rules: null, rulesFor: null };
  const isGuests = known === undefined ? !facts.stated.customerId : known.customer === null;
  return isGuests || facts.test ? "alone" : { order: { ...(known ?? opened), facts }, isNew: known === undefined };
}

/** Returns the orders' customers: the named ones, who are created if they are unknown; otherwise the customers that the orders had. */
async function findCustomers(
  tx: Tx,
  deps: PostingDeps,
  orders: readonly StatedOrder[],
): Promise<readonly (CustomerRow | undefined)[]> {
  const idOf = ({ order }: StatedOrder) => order.facts.stated.customerId ?? "";
  const ids = [...new Set(orders.map(idOf))].filter((id) => id !== "");
  const owners = orders.flatMap(({ order }) => order.customer ?? []);
  const [known, own] = await Promise.all([
    selectByStorefrontIds(tx, ids),
    owners.length === 0 ? [] : selectCustomers(tx, owners),
  ]);
  const ownOf = new Map(own.map((row) => [row.customerUid, row]));
  const unknown = new Set(orders.filter(({ isNew }) => isNew).map(idOf)).difference(known);
  await createCustomers(tx, deps, [...unknown]);
  const found = unknown.size === 0 ? known : new Map([...known, ...(await selectByStorefrontIds(tx, [...unknown]))]);
  return orders.map((one) => {
    const had = one.order.customer === null ? undefined : ownOf.get(one.order.customer.customerUid);
    const named = idOf(one) === "" ? had : found.get(idOf(one));
    return one.isNew || named?.customerUid === had?.customerUid ? named : undefined;
  });
}
