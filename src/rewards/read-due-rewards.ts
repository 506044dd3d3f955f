import type { CustomerRow } from "../customers/customer.ts";
import type { Tx } from "../db/pool.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";
import { selectProgramStart } from "../program/program-queries.ts";
import { readProgramAsOf } from "../program/read-program-as-of.ts";
import { type CustomerStatement, type EarnedReward, earnedRewards } from "./earned-rewards.ts";
import { rewardKey } from "./reward.ts";
import { selectCounted } from "./reward-queries.ts";

/** A reward to be given now. */
export interface DueReward {
  readonly kind: EarnedReward["kind"];
  readonly points: bigint;
}

/**
 * Returns the rewards that are due according to events of customers (program.md 4, Rewards), in their order: rewards that were earned since
 * the store began, were not counted for anybody who is now the same person, and had points by the program of their time. Two statements for
 * all, and a few more for each customer with an uncounted reward. Rewards that are not due never become due.
 */
export async function readDueRewards(
  tx: Tx,
  statements: readonly (CustomerStatement & { readonly customer: CustomerRow })[],
): Promise<readonly (readonly DueReward[])[]> {
  const earned = statements.map((one) => ({ ref: one.customer, rewards: earnedRewards(one) }));
  const keys = earned.flatMap(({ ref, rewards }) => rewards.map(({ kind }) => rewardKey(kind, ref.customerUid)));
  if (keys.length === 0) return statements.map(() => []);
  const [startedAt, counted] = await Promise.all([selectProgramStart(tx), selectCounted(tx, keys)]);
  const due: DueReward[][] = [];
  for (const { ref, rewards } of earned) {
    const open = rewards.filter(isNew(startedAt, counted, [ref.customerUid]));
    due.push(open.length === 0 ? [] : await withPoints(tx, await ofNobodyMerged(tx, ref, open)));
  }
  return due;
}

/** Returns the rewards that were not counted for customers who were merged into the customer, and are the same person. */
async function ofNobodyMerged(
  tx: Tx,
  customer: CustomerRow,
  rewards: readonly EarnedReward[],
): Promise<readonly EarnedReward[]> {
  const uids = (await readMerged(tx, customer)).map(({ customerUid }) => customerUid);
  if (uids.length === 0) return rewards;
  const counted = await selectCounted(
    tx,
    rewards.flatMap(({ kind }) => uids.map((uid) => rewardKey(kind, uid))),
  );
  return rewards.filter(({ kind }) => !isCounted(kind, counted, uids));
}

async function withPoints(tx: Tx, rewards: readonly EarnedReward[]): Promise<DueReward[]> {
  const due: DueReward[] = [];
  for (const { kind, at } of rewards) {
    const points = (await readProgramAsOf(tx, at)).rewards[kind];
    if (points > 0n) due.push({ kind, points });
  }
  return due;
}

function isNew(startedAt: Temporal.Instant | null, counted: ReadonlySet<string>, uids: readonly string[]) {
  return ({ kind, at }: EarnedReward): boolean =>
    startedAt !== null && Temporal.Instant.compare(at, startedAt) >= 0 && !isCounted(kind, counted, uids);
}

function isCounted(kind: EarnedReward["kind"], counted: ReadonlySet<string>, uids: readonly string[]): boolean {
  return uids.some((uid) => counted.has(rewardKey(kind, uid)));
}
