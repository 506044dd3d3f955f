import type { ReadDeps } from "../../deps.ts";
import { readOrderFilters } from "./read-order-filters.ts";
import { readOrdersPage } from "./read-orders-page.ts";
import type { OrdersPage, OrdersQuery } from "./schema.ts";

/** Returns a page of the store's orders, newest processed first. `after`: a `next` with the same filters. Throws `invalid` with every fault. */
export async function listOrders(
  deps: Pick<ReadDeps, "db">,
  query: OrdersQuery,
  pageRows: number,
): Promise<OrdersPage> {
  return readOrdersPage(deps.db, await readOrderFilters(deps.db, query), pageRows);
}
