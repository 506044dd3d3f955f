import type { Tx } from "../../db/pool.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { lockBalances } from "../balance-queries.ts";
import { changeBalances } from "../change-balances.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { readBatchContext } from "../queue/batch-queries.ts";
import type { PostingDeps } from "../queue/posting-batch.ts";

/**
 * Writes off the points of these customers that have reached their date, except held points (program.md 5): what any posting does first, without
 * a posting. Returns for how many customers points expired; running it again writes nothing.
 */
export async function writeOffExpired(tx: Tx, deps: PostingDeps, customers: readonly CustomerRef[]): Promise<number> {
  const [, locked, context] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockBalances(tx, customers),
    readBatchContext(tx),
  ]);
  const balances = locked.map((before) => ({ before, postings: [] }));
  const changes = await changeBalances(tx, deps, balances, context);
  return changes.filter((change) => change.allotments.length > 0).length;
}
