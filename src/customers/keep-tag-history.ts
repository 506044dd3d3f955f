import type { Tx } from "../db/pool.ts";
import type { CustomerRow } from "./customer.ts";
import { statementOfRow, type TagStatement } from "./tag-history.ts";
import { deleteStatementsOf, insertStatements, selectStatements } from "./tag-queries.ts";

/**
 * Keeps what was stated about the tags of a customer who is merged into another, because orders from before the merge earn by them
 * (`findOwnersAt`). A history without any statement is stored as one: no tags. `takesTags`: the survivor takes the tags, and so their
 * history too. Nothing is kept if the survivor was deleted. Both balances must be locked.
 */
export async function keepTagHistory(
  tx: Tx,
  { removed, kept, takesTags }: { removed: CustomerRow; kept: CustomerRow; takesTags: boolean },
): Promise<void> {
  if (kept.deletedAt !== null) return deleteStatementsOf(tx, [removed]);
  const said = (await selectStatements(tx, [removed])).get(removed.customerUid) ?? statementOfRow(removed);
  const none: TagStatement = { at: removed.createdAt, tags: [], added: [], removed: [] };
  const history = (said.length > 0 ? said : [none]).map((statement) => ({ customer: removed, statement }));
  const taken = takesTags ? said.map((statement) => ({ customer: kept, statement })) : [];
  await insertStatements(tx, [...history, ...taken]);
}
