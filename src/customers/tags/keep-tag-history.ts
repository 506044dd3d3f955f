import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { readMerged } from "../../ledger/merge/merge-queries.ts";
import type { CustomerRow } from "../customer.ts";
import { statementOfRow, type TagStatement } from "./tag-history.ts";
import { deleteStatementsOf, insertStatements, selectStatements } from "./tag-queries.ts";

/**
 * Keeps what was stated about the tags of a customer who is merged into another, because orders from before the merge earn by them
 * (`findOwnersAt`). Those who were merged into that customer without a history of their own get the same one. If nothing was stated, that there
 * were no tags is stored, unless the survivor's tags are unknown as well, which a late event may still fill, or the customer was deleted, which
 * erased the history: then the survivor's counts. `takesTags`: the survivor takes the tags, and has them from the merge on. So the tags of an order
 * do not depend on whether its events come before or after the merge. Nothing is kept if the survivor was deleted. Both balances must be locked,
 * and lead to where they did before the merge.
 */
export async function keepTagHistory(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { removed, kept, takesTags }: { removed: CustomerRow; kept: CustomerRow; takesTags: boolean },
): Promise<void> {
  const merged = [removed, ...(await readMerged(tx, removed))];
  if (kept.deletedAt !== null) return deleteStatementsOf(tx, merged);
  if (removed.deletedAt !== null) return;
  const stored = await selectStatements(tx, [kept, ...merged]);
  const said = stored.get(removed.customerUid) ?? statementOfRow(removed);
  const isKnown = kept.tags !== null || kept.fieldVersions.tags !== undefined || stored.has(kept.customerUid);
  const history = said.length === 0 && isKnown ? [stated(removed.createdAt, [])] : said;
  const owners = merged.filter(({ customerUid }) => !stored.has(customerUid));
  const now = deps.clock.now();
  const before = Temporal.Instant.compare(kept.createdAt, now) < 0 ? [stated(kept.createdAt, [])] : [];
  const taken = takesTags ? [...before, stated(now, removed.tags ?? [])] : [];
  await insertStatements(tx, [
    ...owners.flatMap((customer) => history.map((statement) => ({ customer, statement }))),
    ...taken.map((statement) => ({ customer: kept, statement })),
  ]);
}

function stated(at: Temporal.Instant, tags: readonly string[]): TagStatement {
  return { at, tags, added: [], removed: [] };
}
