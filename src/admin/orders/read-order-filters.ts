import { selectNamed } from "../../customers/customer-queries.ts";
import type { Queryable } from "../../db/pool.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { Problem } from "../../problems.ts";
import { STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { FROM_TO, readAfter, readRange, type TimePosition, timeCursor } from "../list.ts";
import type { OrderFilters } from "./list-queries.ts";
import { saleFilterOf, storedState } from "./list-view.ts";
import type { OrdersQuery } from "./schema.ts";

/** What a query asks of the list of orders. */
export interface AskedOrders {
  readonly filters: OrderFilters;
  /** That behind which the page begins; null: it is the first one. */
  readonly position: TimePosition | null;
  /** Whether no program was ever applied. */
  readonly isStandIn: boolean;
}

/** Returns what a query asks of the list of orders. Throws `invalid` with every fault. */
export async function readOrderFilters(db: Queryable, query: OrdersQuery): Promise<AskedOrders> {
  const { position } = withoutFaults(readAfter(query.after, timeCursor));
  const { store, version } = await readProgram(db);
  const isStandIn = version === STAND_IN_VERSION;
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
  const filters = {
    from,
    to,
    search: search === "" ? null : search,
    state: storedState(query.state, isStandIn),
    sale: saleFilterOf(query.state),
    customer: customer === undefined ? null : { bucket: customer.bucket, customerUid: customer.customerUid },
  };
  return { filters, position, isStandIn };
}
