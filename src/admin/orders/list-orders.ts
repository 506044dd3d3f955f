import { selectNamed } from "../../customers/customer-queries.ts";
import type { Queryable } from "../../db/pool.ts";
import type { ReadDeps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { type Program, STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { FROM_TO, PAGE_ROWS, pageOf, readAfter, readRange, timeCursor } from "../list.ts";
import { type OrderFilters, selectOrders } from "./list-queries.ts";
import { saleFilterOf, storedState, viewListedOrder } from "./list-view.ts";
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
  const filters = await readFilters(deps.db, query, program);
  const { rows, next } = pageOf(
    await selectOrders(deps.db, filters, position, pageRows + 1),
    (last) => timeCursor.format({ at: last.processedAt, id: last.orderId }),
    pageRows,
  );
  return { data: rows.map((order) => viewListedOrder(order, isStandIn)), next };
}

async function readFilters(db: Queryable, query: OrdersQuery, { store, version }: Program): Promise<OrderFilters> {
  const { from, to, ...range } = readRange(query, store.timeZone, FROM_TO);
  const faults = [...range.faults];
  const [customer, another] = query.customer === undefined ? [] : await selectNamed(db, query.customer);
  if (query.customer !== undefined && (customer === undefined || another !== undefined)) {
    const detail =
      another === undefined ? "expected the id or e-mail of a customer" : "expected the e-mail of one alone";
    faults.push({ parameter: "customer", detail });
  }
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const search = query.q?.trim() ?? "";
  return {
    from,
    to,
    search: search === "" ? null : search,
    state: storedState(query.state, version === STAND_IN_VERSION),
    sale: saleFilterOf(query.state),
    customer: customer === undefined ? null : { bucket: customer.bucket, customerUid: customer.customerUid },
  };
}
