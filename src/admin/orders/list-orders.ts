import type { ReadDeps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { PAGE_ROWS, pageOf, readAfter, timeCursor } from "../list.ts";
import { selectOrders } from "./list-queries.ts";
import { viewListedOrder } from "./list-view.ts";
import { readOrderFilters } from "./read-order-filters.ts";
import type { OrdersPage, OrdersQuery } from "./schema.ts";

/** Returns a page of the store's orders, newest processed first. `after`: a `next` with the same filters. Throws `invalid` with every fault. */
export async function listOrders(
  deps: Pick<ReadDeps, "db">,
  query: OrdersQuery,
  pageRows: number = PAGE_ROWS,
): Promise<OrdersPage> {
  const { position, faults } = readAfter(query.after, timeCursor);
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const program = await readProgram(deps.db);
  const isStandIn = program.version === STAND_IN_VERSION;
  const filters = await readOrderFilters(deps.db, query, program);
  const { rows, next } = pageOf(
    await selectOrders(deps.db, filters, position, pageRows + 1),
    (last) => timeCursor.format({ at: last.processedAt, id: last.orderId }),
    pageRows,
  );
  return { data: rows.map((order) => viewListedOrder(order, isStandIn)), next };
}
