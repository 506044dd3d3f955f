import type { ReadDeps } from "../../deps.ts";
import { readProgram } from "../../program/read-program.ts";
import { listOrders } from "./list-orders.ts";
import { countListedOrders, findsAll } from "./list-queries.ts";
import { readOrderFilters } from "./read-order-filters.ts";
import type { CountedOrdersPage, OrdersQuery } from "./schema.ts";

/**
 * Returns a page of the store's orders with the number of all that the filters show, at most `COUNTED_MAX` plus one. A list of one page is counted by its
 * rows, so that a rare kind of order is not looked for twice. Null for sales, which are known only from the facts of each order, and for a search that
 * finds too many orders to consider all.
 */
export async function listCountedOrders(deps: Pick<ReadDeps, "db">, query: OrdersQuery): Promise<CountedOrdersPage> {
  const page = await listOrders(deps, query);
  const rows = query.after === undefined && page.next === null ? page.data.length : null;
  if (rows !== null && query.q === undefined) return { ...page, total: rows };
  const filters = await readOrderFilters(deps.db, query, await readProgram(deps.db));
  const isKnown = filters.search === null || (await findsAll(deps.db, filters.search));
  if (!isKnown) return { ...page, total: null };
  if (rows !== null) return { ...page, total: rows };
  return { ...page, total: filters.sale === null ? await countListedOrders(deps.db, filters) : null };
}
