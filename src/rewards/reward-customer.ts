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

type RewardStatement = CustomerStatement & { readonly customer: CustomerRow };

/**
 * Rewards what an event tells of a customer, in the event's transaction (program.md 4, Rewards): a signup, a marketing opt-in,
 * each once in a life. The points are those of the program that was valid when the customer did it: what happened before the
 * store began with this service, or while there was no such reward, is never paid. A balance that can hold no more gets none.
 */
export async function rewardCustomer(tx: Tx, deps: PostingDeps, statement: RewardStatement): Promise<void> {
  const { bucket, customerUid } = statement.customer;
  const postings = (await readDue(tx, statement)).map(({ kind, points }): CustomerPosting => {
    const posting = rewardPosting(deps.random.uid(), { kind, points, sourceKey: rewardKey(kind, customerUid) });
    return { customer: { bucket, customerUid }, posting };
  });
  await postAllotments(tx, deps, postings);
}

/**
 * Returns which of some statements have no reward due. What is not due stays so: it was counted, or is judged by programs of the past.
 * Those that nothing was counted of are looked at one by one.
 */
export async function selectUnrewarding<Statement extends RewardStatement>(
  tx: Tx,
  statements: readonly Statement[],
): Promise<ReadonlySet<Statement>> {
  const keysOf = (one: Statement) => earnedRewards(one).map(({ kind }) => rewardKey(kind, one.customer.customerUid));
  const keys = statements.flatMap(keysOf);
  const unrewarding = new Set<Statement>();
  if (keys.length === 0) return new Set(statements);
  const [startedAt, counted] = await Promise.all([selectProgramStart(tx), selectCounted(tx, keys)]);
  for (const one of statements) {
    const isOpen = earnedRewards(one).some(isNew(startedAt, counted, [one.customer.customerUid]));
    if (!isOpen || (await readDue(tx, one)).length === 0) unrewarding.add(one);
  }
  return unrewarding;
}

/** The rewards that a statement earns and that were not counted before, with their points. */
async function readDue(
  tx: Tx,
  statement: RewardStatement,
): Promise<readonly { readonly kind: EarnedReward["kind"]; readonly points: bigint }[]> {
  const earned = earnedRewards(statement);
  if (earned.length === 0) return [];
  const merged = await readMerged(tx, statement.customer);
  const uids = [statement.customer.customerUid, ...merged.map((ref) => ref.customerUid)]; // who was merged into the customer is the same person
  const keys = earned.flatMap(({ kind }) => uids.map((uid) => rewardKey(kind, uid)));
  const [startedAt, counted] = await Promise.all([selectProgramStart(tx), selectCounted(tx, keys)]);
  const due: { kind: EarnedReward["kind"]; points: bigint }[] = [];
  for (const { kind, at } of earned.filter(isNew(startedAt, counted, uids))) {
    const points = (await readProgramAsOf(tx, at)).rewards[kind];
    if (points > 0n) due.push({ kind, points });
  }
  return due;
}

function isNew(startedAt: Temporal.Instant | null, counted: ReadonlySet<string>, uids: readonly string[]) {
  return ({ kind, at }: EarnedReward): boolean => {
    const isSince = startedAt !== null && Temporal.Instant.compare(at, startedAt) >= 0;
    return isSince && !uids.some((uid) => counted.has(rewardKey(kind, uid)));
  };
}
