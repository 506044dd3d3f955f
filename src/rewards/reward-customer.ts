import type { CustomerRow } from "../customers/customer.ts";
import type { Tx } from "../db/pool.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { CustomerPosting, PostingDeps } from "../ledger/posting-batch.ts";
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
  const [due = []] = await readDueRewards(tx, [statement]);
  const postings = due.map(({ kind, points }): CustomerPosting => {
    const posting = rewardPosting(deps.random.uid(), { kind, points, sourceKey: rewardKey(kind, customerUid) });
    return { customer: { bucket, customerUid }, posting };
  });
  if (postings.length > 0) await postAllotments(tx, deps, postings);
}
