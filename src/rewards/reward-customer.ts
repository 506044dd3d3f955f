import type { CustomerRow } from "../customers/customer.ts";
import type { Tx } from "../db/pool.ts";
import { readMerged } from "../ledger/merge-queries.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { CustomerPosting, PostingDeps } from "../ledger/posting-batch.ts";
import { selectProgramStart } from "../program/program-queries.ts";
import { readProgramAsOf } from "../program/read-program-as-of.ts";
import { type CustomerStatement, type EarnedReward, earnedRewards } from "./earned-rewards.ts";
import { rewardKey, rewardPosting } from "./reward.ts";
import { selectCounted } from "./reward-queries.ts";

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
  const earned = earnedRewards(statement);
  if (earned.length === 0) return;
  const { bucket, customerUid } = statement.customer;
  const merged = await readMerged(tx, statement.customer);
  const uids = [customerUid, ...merged.map((ref) => ref.customerUid)]; // who was merged into the customer is the same person
  const keys = earned.flatMap(({ kind }) => uids.map((uid) => rewardKey(kind, uid)));
  const [startedAt, counted] = await Promise.all([selectProgramStart(tx), selectCounted(tx, keys)]);
  const postings: CustomerPosting[] = [];
  for (const { kind, at } of earned.filter(isNew(startedAt, counted, uids))) {
    const points = (await readProgramAsOf(tx, at)).rewards[kind];
    const posting = rewardPosting(deps.random.uid(), { kind, points, sourceKey: rewardKey(kind, customerUid) });
    if (points > 0n) postings.push({ customer: { bucket, customerUid }, posting });
  }
  await postAllotments(tx, deps, postings);
}

function isNew(startedAt: Temporal.Instant | null, counted: ReadonlySet<string>, uids: readonly string[]) {
  return ({ kind, at }: EarnedReward): boolean => {
    const isSince = startedAt !== null && Temporal.Instant.compare(at, startedAt) >= 0;
    return isSince && !uids.some((uid) => counted.has(rewardKey(kind, uid)));
  };
}
