import type { ReadDeps } from "../../deps.ts";
import { PAGE_ROWS } from "../list.ts";
import { countListedOrders, findsAll } from "./list-queries.ts";
import { readOrderFilters } from "./read-order-filters.ts";
import { readOrdersPage } from "./read-orders-page.ts";
import type { CountedOrdersPage, OrdersQuery } from "./schema.ts";

/**
 * Returns a page of the store's orders with the number of all that the filters show, at most `COUNTED_MAX` plus one. A list of one page is counted by its
 * rows, so that a rare kind of order is not looked for twice. Null for sales, which are known only from the facts of each order, and for a search that
 * finds too many orders to consider all.
 */
export async function listCountedOrders(deps: Pick<ReadDeps, "db">, query: OrdersQuery): Promise<CountedOrdersPage> {
  const asked = await readOrderFilters(deps.db, query);
  const { filters } = asked;
  const page = await readOrdersPage(deps.db, asked, PAGE_ROWS);
  const rows = query.after === undefined && page.next === null ? page.data.length : null;
  const isKnown = filters.search === null || (await findsAll(deps.db, filters.search));
  if (!isKnown) return { ...page, total: null };
  if (rows !== null) return { ...page, total: rows };
  return { ...page, total: filters.sale === null ? await countListedOrders(deps.db, filters) : null };
}
