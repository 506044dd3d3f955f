import { selectByEmail, selectByStorefrontId } from "../../customers/customer-queries.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { decodeCursor, encodeCursor } from "../../http/paging.ts";
import { type Fault, Problem } from "../../problems.ts";
import { type Program, STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { parseInstant } from "../../time/store-time.ts";
import { type OrderFilters, type OrderPosition, selectOrders } from "./list-queries.ts";
import { storedState, viewListedOrder } from "./list-view.ts";
import type { OrdersPage, OrdersQuery } from "./schema.ts";

const PAGE_ROWS = 50;

/** A page of the store's orders, newest processed first. `after`: a `next` of the same filters. Throws `invalid` with every fault. */
export async function listOrders(deps: Pick<Deps, "db">, query: OrdersQuery): Promise<OrdersPage> {
  const at = query.after === undefined ? null : positionOf(query.after);
  const program = await readProgram(deps.db);
  const isStandIn = program.version === STAND_IN_VERSION;
  const filters = await readFilters(deps.db, query, program);
  const found = await selectOrders(deps.db, filters, at, PAGE_ROWS + 1);
  const orders = found.slice(0, PAGE_ROWS);
  const last = orders.at(-1);
  const hasMore = found.length > PAGE_ROWS && last !== undefined;
  return {
    data: orders.map((order) => viewListedOrder(order, isStandIn)),
    next: hasMore ? encodeCursor([last.processedAt.toString(), last.orderId]) : null,
  };
}

async function readFilters(db: Queryable, query: OrdersQuery, { store, version }: Program): Promise<OrderFilters> {
  const faults: Fault[] = [];
  const time = (parameter: "from" | "to", edge: "start" | "end"): Temporal.Instant | null => {
    const text = query[parameter];
    if (text === undefined) return null;
    const instant = parseInstant(text, { timeZone: store.timeZone, edge });
    if (instant === null) faults.push({ parameter, detail: "expected an ISO 8601 date or date-time" });
    return instant;
  };
  const times = { from: time("from", "start"), to: time("to", "end") };
  const [customer, another] = query.customer === undefined ? [] : await named(db, query.customer);
  if (query.customer !== undefined && (customer === undefined || another !== undefined)) {
    const detail =
      another === undefined ? "expected the id or e-mail of a customer" : "expected the e-mail of one alone";
    faults.push({ parameter: "customer", detail });
  }
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const search = query.q?.trim() ?? "";
  return {
    ...times,
    search: search === "" ? null : search,
    state: query.state === undefined ? null : storedState(query.state, version === STAND_IN_VERSION),
    customer: customer === undefined ? null : { bucket: customer.bucket, customerUid: customer.customerUid },
  };
}

async function named(db: Queryable, text: string) {
  return text.includes("@") ? selectByEmail(db, text.toLowerCase()) : [await selectByStorefrontId(db, text)];
}

function positionOf(cursor: string): OrderPosition {
  const [time, orderId] = decodeCursor(cursor) ?? [];
  try {
    if (time !== undefined && orderId !== undefined) return { processedAt: Temporal.Instant.from(time), orderId };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new Problem("invalid", { faults: [{ parameter: "after", detail: "expected a `next` of this list" }] });
}
