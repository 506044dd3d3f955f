import type { CustomerRow } from "../../customers/customer.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { findShownCustomer } from "./find-shown-customer.ts";
import { pageOf, type RowsPage, timePlaceOf } from "./page-after.ts";
import type { Place } from "./part-queries.ts";
import { PAGE_ROWS } from "./queries.ts";

/** A list of what a customer has: how it is read, and the time and id by which it is ordered. */
export interface Part<Row> {
  readonly select: (queryable: Queryable, customer: CustomerRow, place: Place) => Promise<Row[]>;
  readonly placeOf: (row: Row) => readonly [Temporal.Instant, string];
}

const FIRST: Place = { at: Temporal.Instant.from("9999-12-31T00:00:00Z"), id: "\u{10ffff}" };

/**
 * A page of one of a customer's lists, newest first. Throws `customer_not_found`, `ambiguous_email`, `invalid` for an `after` that is none
 * of the list's.
 */
export async function listParts<Row>(
  deps: Pick<Deps, "db">,
  named: string,
  after: string | undefined,
  { select, placeOf }: Part<Row>,
): Promise<RowsPage<Row>> {
  const customer = await findShownCustomer(deps.db, named);
  const place = after === undefined ? FIRST : timePlaceOf(after, { isUuid: false });
  if (place === null) {
    throw new Problem("invalid", { faults: [{ parameter: "after", detail: "expected the `next` of this list" }] });
  }
  const found = await select(deps.db, customer, place);
  return pageOf(found, PAGE_ROWS, (row) => {
    const [at, id] = placeOf(row);
    return [at.toString(), id];
  });
}
