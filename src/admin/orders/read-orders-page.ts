import type { Queryable } from "../../db/pool.ts";
import { pageOf, timeCursor } from "../list.ts";
import { selectOrders } from "./list-queries.ts";
import { viewListedOrder } from "./list-view.ts";
import type { AskedOrders } from "./read-order-filters.ts";
import type { OrdersPage } from "./schema.ts";

/** Returns a page of the store's orders, newest processed first. */
export async function readOrdersPage(
  db: Queryable,
  { filters, position, isStandIn }: AskedOrders,
  pageRows: number,
): Promise<OrdersPage> {
  const { rows, next } = pageOf(
    await selectOrders(db, filters, position, pageRows + 1),
    (last) => timeCursor.format({ at: last.processedAt, id: last.orderId }),
    pageRows,
  );
  return { data: rows.map((order) => viewListedOrder(order, isStandIn)), next };
}
