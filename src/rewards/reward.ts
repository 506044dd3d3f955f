import { type Posting, plainPosting } from "../ledger/posting.ts";
import type { Program } from "../program/program.ts";

/** The rewards of program.md 4. */
export type RewardKind = keyof Program["rewards"];

interface RewardFacts {
  /** `object` is `reward-<n>`: the number never changes. */
  readonly n: number;
  /** The name in the natural key. */
  readonly key: string;
  /** Whether it extends the sliding expiry (program.md 5). */
  readonly extends: "credit" | "never";
}

const REWARDS: Readonly<Record<RewardKind, RewardFacts>> = {
  signup: { n: 1, key: "signup", extends: "credit" },
  marketingOptIn: { n: 2, key: "marketing_opt_in", extends: "credit" },
  birthday: { n: 3, key: "birthday", extends: "never" },
};

/** Returns the natural key of a reward (program.md 3); `year` only for birthdays, because the others are given once. */
export function rewardKey(kind: RewardKind, customerUid: string, year?: number): string {
  return `reward/${REWARDS[kind].key}/${customerUid}${year === undefined ? "" : `/${year}`}`;
}

/** Returns the posting of a reward of `points` (program.md 4): type `reward`, origin promotion. */
export function rewardPosting(
  uid: string,
  { kind, points, sourceKey }: { readonly kind: RewardKind; readonly points: bigint; readonly sourceKey: string },
): Posting {
  const facts = REWARDS[kind];
  return {
    ...plainPosting(uid, "reward", "pointkeeper", { kind: "add", pointValue: points, shortfall: "refuse" }),
    sourceKey,
    object: `reward-${facts.n}`,
    origin: "promotion",
    reasonType: "reward",
    extends: facts.extends,
  };
}
