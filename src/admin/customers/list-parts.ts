import type { CustomerRow } from "../../customers/customer.ts";
import { findShownCustomer } from "../../customers/find-shown-customer.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { NEWEST, pageOf, type RowsPage, readAfter, type TimePosition, timeCursor } from "../list.ts";

/** One of a customer's lists: how it is read, and the position of a row in it. */
export interface Part<Row> {
  readonly select: (queryable: Queryable, customer: CustomerRow, after: TimePosition) => Promise<Row[]>;
  readonly positionOf: (row: Row) => TimePosition;
}

const FIRST: TimePosition = { at: NEWEST.at, id: "\u{10ffff}" };

/**
 * Returns a page of one of a customer's lists, newest first. Throws `customer_not_found`, `ambiguous_email`, and `invalid` for an `after` of another
 * list.
 */
export async function listParts<Row>(
  deps: Pick<Deps, "db">,
  named: string,
  after: string | undefined,
  { select, positionOf }: Part<Row>,
): Promise<RowsPage<Row>> {
  const customer = await findShownCustomer(deps.db, named);
  const { position } = withoutFaults(readAfter(after, timeCursor, "expected the `next` of this list"));
  const found = await select(deps.db, customer, position ?? FIRST);
  return pageOf(found, (row) => timeCursor.format(positionOf(row)));
}
