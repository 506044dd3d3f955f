import type { Json } from "../../platforms/json-source.ts";
import {
  type ChangeCursor,
  changedRequest,
  customerIdsOf,
  isListOver,
  namedCustomersRequest,
  newestOf,
  nextCursor,
  refundedOrderId,
  refundsRequest,
  type WooList,
  withRefunds,
} from "../../platforms/woocommerce/rest/lists.ts";
import type { ChangedPage, PortDeps } from "../platform-port.ts";
import type { WooStore } from "./call-store.ts";
import { fetchList } from "./fetch-list.ts";

/** The maximum number of pages of refunds of one order. */
const REFUND_PAGES_MAX = 20;

interface ReadOrder {
  readonly resource: ChangeCursor["resource"];
  readonly since: Temporal.Instant;
  readonly signal: AbortSignal;
}

/**
 * Reads the orders or products that changed in the store since a moment, oldest change first. An order comes with its customer, whose
 * changes WooCommerce does not list, and with the lines of its refunds.
 */
export async function* readWooChanges(
  deps: PortDeps,
  store: WooStore,
  { resource, since, signal }: ReadOrder,
): AsyncGenerator<ChangedPage> {
  let cursor: ChangeCursor | null = { resource, since, page: 1 };
  while (cursor !== null && !signal.aborted) {
    const readAt = deps.clock.now(); // a webhook that arrives while the page is processed is newer
    const list: WooList = await fetchList(deps, store, changedRequest(cursor), signal);
    const resources =
      resource === "orders" ? await completeOrders(deps, store, list.resources, signal) : list.resources;
    yield { resources, changedAt: newestOf(list.resources, "date_modified_gmt"), readAt };
    cursor = nextCursor(cursor, list);
  }
}

async function completeOrders(
  deps: PortDeps,
  store: WooStore,
  orders: readonly Json[],
  signal: AbortSignal,
): Promise<Json[]> {
  const ids = customerIdsOf(orders);
  const customers = ids.length === 0 ? null : await fetchList(deps, store, namedCustomersRequest(ids), signal);
  const complete: Json[] = [...(customers?.resources ?? [])];
  for (const order of orders) {
    const id = refundedOrderId(order);
    complete.push(id === null ? order : withRefunds(order, await refundsOf(deps, store, id, signal)));
  }
  return complete;
}

async function refundsOf(deps: PortDeps, store: WooStore, orderId: string, signal: AbortSignal): Promise<Json[]> {
  const all: Json[] = [];
  for (let page = 1; page <= REFUND_PAGES_MAX; page++) {
    const list = await fetchList(deps, store, refundsRequest(orderId, page), signal);
    all.push(...list.resources);
    if (isListOver(list, all.length)) return all;
  }
  throw new Error(`order ${orderId} of the store has more refunds than were expected`);
}
