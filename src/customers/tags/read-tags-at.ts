import type { Queryable } from "../../db/pool.ts";
import type { CustomerRow } from "../customer.ts";
import { findOwnersAt, type NamedAt } from "../find-owners-at.ts";
import { statementOfRow, tagsAt } from "./tag-history.ts";
import { selectStatements } from "./tag-queries.ts";

/** Returns the tags that an order's customer had at its time, as far as is known now (program.md 4, Snapshot). */
export async function readTagsAt(
  queryable: Queryable,
  order: NamedAt & { readonly customer: CustomerRow },
): Promise<readonly string[]> {
  const { customer, instant } = order;
  const owner = (await findOwnersAt(queryable, [order])).get(order);
  const kept = await selectStatements(queryable, owner === undefined ? [customer] : [customer, owner]);
  const said = kept.get(owner?.customerUid ?? "") ?? kept.get(customer.customerUid) ?? statementOfRow(customer);
  return tagsAt(said, instant);
}
