import type { CustomerRow } from "../customers/customer.ts";
import type { Tx } from "../db/pool.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { CustomerPosting, PostingDeps } from "../ledger/queue/posting-batch.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import type { CustomerStatement } from "./earned-rewards.ts";
import { readDueRewards } from "./read-due-rewards.ts";
import { rewardKey, rewardPosting } from "./reward.ts";

/**
 * Gives the rewards of a customer's event, in the event's transaction (program.md 4, Rewards): a signup and a marketing opt-in, each only
 * once. The points are those of the program that was valid when the customer acted: actions from before the store began with this service,
 * or while there was no such reward, are never paid. A balance at its limit gets none.
 */
export async function rewardCustomer(
  tx: Tx,
  deps: PostingDeps,
  statement: CustomerStatement & { readonly customer: CustomerRow },
): Promise<void> {
  const { bucket, customerUid } = statement.customer;
  const [early = []] = await readDueRewards(tx, [statement]);
  if (early.length === 0) return;
  // again under the lock: a merge may have brought a customer who had the reward
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  const held = await lockLiveBalances(tx, [statement.customer]);
  const [due = []] = await readDueRewards(tx, [statement]);
  const postings = due.map(({ kind, points }): CustomerPosting => {
    const posting = rewardPosting(deps.random.uid(), { kind, points, sourceKey: rewardKey(kind, customerUid) });
    return { customer: { bucket, customerUid }, posting };
  });
  await postAllotments(tx, deps, postings, held);
}
