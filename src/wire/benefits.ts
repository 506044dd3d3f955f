/** What a benefit is: a coupon that was taken, or the reward for a sign-up, an opt-in or a birthday. */
export const BENEFIT_KINDS = ["coupon", "reward-1", "reward-2", "reward-3"] as const;

export type BenefitKind = (typeof BENEFIT_KINDS)[number];
