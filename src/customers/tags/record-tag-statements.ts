import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { CustomerRow } from "../customer.ts";
import { requestOrderReviews } from "../request-order-reviews.ts";
import { firstDifference, idleStatements, statementOfRow, type TagStatement } from "./tag-history.ts";
import { deleteStatements, insertStatements, type OwnedStatement, selectStatements } from "./tag-queries.ts";

/**
 * Stores statements about customers' tags, and requests the re-evaluation of their orders from the time on for which the known tags change
 * (program.md 4, Snapshot). The balances must be locked; `customer` is the row as it was before the patches.
 */
export async function recordTagStatements(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  said: readonly { readonly customer: CustomerRow; readonly statement: TagStatement }[],
): Promise<void> {
  if (said.length === 0) return;
  const customers = [...new Map(said.map(({ customer }) => [customer.customerUid, customer])).values()];
  const kept = await selectStatements(tx, customers);
  const added: OwnedStatement[] = [];
  const idle: OwnedStatement[] = [];
  const changed: { customer: CustomerRow; from: Temporal.Instant }[] = [];
  for (const customer of customers) {
    const own = kept.get(customer.customerUid);
    const before = own ?? statementOfRow(customer);
    const news = said.filter((one) => one.customer.customerUid === customer.customerUid).map((one) => one.statement);
    const after = [...before, ...news];
    for (const statement of own === undefined ? after : news) added.push({ customer, statement });
    for (const statement of idleStatements(after)) idle.push({ customer, statement });
    const from = firstDifference(before, after);
    if (from !== null) changed.push({ customer, from });
  }
  await insertStatements(tx, added);
  await deleteStatements(tx, idle);
  for (const { customer, from } of changed) await requestOrderReviews(tx, deps, [customer], { cause: "tags", from });
}
