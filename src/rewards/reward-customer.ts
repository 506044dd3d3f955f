import type { CustomerRow } from "../customers/customer.ts";
import type { Tx } from "../db/pool.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { CustomerPosting, PostingDeps } from "../ledger/posting-batch.ts";
import type { CustomerStatement } from "./earned-rewards.ts";
import { readDueRewards } from "./read-due-rewards.ts";
import { rewardKey, rewardPosting } from "./reward.ts";

/**
 * Rewards what an event tells of a customer, in the event's transaction (program.md 4, Rewards): a signup, a marketing opt-in,
 * each once in a life. The points are those of the program that was valid when the customer did it: what happened before the
 * store began with this service, or while there was no such reward, is never paid. A balance that can hold no more gets none.
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
