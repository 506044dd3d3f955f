import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRow } from "./customer.ts";
import { statementOfRow, type TagStatement } from "./tag-history.ts";
import { deleteStatementsOf, insertStatements, selectStatements } from "./tag-queries.ts";

/**
 * Keeps what was stated about the tags of a customer who is merged into another, because orders from before the merge earn by them
 * (`findOwnersAt`). A survivor who takes the tags has them from the merge on. So the tags of an order do not depend on whether its events come
 * before or after the merge. Nothing is kept if the survivor was deleted. Both balances must be locked.
 */
export async function keepTagHistory(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { removed, kept, takesTags }: { removed: CustomerRow; kept: CustomerRow; takesTags: boolean },
): Promise<void> {
  if (kept.deletedAt !== null) return deleteStatementsOf(tx, [removed]);
  const said = (await selectStatements(tx, [removed])).get(removed.customerUid) ?? statementOfRow(removed);
  const history = said.length > 0 ? said : [stated(removed.createdAt, [])];
  const now = deps.clock.now();
  const before = Temporal.Instant.compare(kept.createdAt, now) < 0 ? [stated(kept.createdAt, [])] : [];
  const taken = takesTags ? [...before, stated(now, removed.tags ?? [])] : [];
  await insertStatements(tx, [
    ...history.map((statement) => ({ customer: removed, statement })),
    ...taken.map((statement) => ({ customer: kept, statement })),
  ]);
}

function stated(at: Temporal.Instant, tags: readonly string[]): TagStatement {
  return { at, tags, added: [], removed: [] };
}
