import type { Queryable } from "../db/pool.ts";
import type { CustomerRow } from "./customer.ts";
import { statementOfRow, tagsAt } from "./tag-history.ts";
import { selectStatements } from "./tag-queries.ts";

/** Returns the tags that a customer had at an instant, as far as is known now (program.md 4, Snapshot). */
export async function readTagsAt(
  queryable: Queryable,
  customer: CustomerRow,
  instant: Temporal.Instant,
): Promise<readonly string[]> {
  const kept = await selectStatements(queryable, [customer]);
  return tagsAt(kept.get(customer.customerUid) ?? statementOfRow(customer), instant);
}
