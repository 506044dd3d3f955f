/** The kinds of benefits: a redeemed coupon, or the reward for a sign-up, an opt-in or a birthday. */
export const BENEFIT_KINDS = ["coupon", "reward-1", "reward-2", "reward-3"] as const;

/** The effect of a benefit: an order used the coupon, or its customer ordered within 30 days. */
export const BENEFIT_OUTCOMES = ["used", "ordered"] as const;

export type BenefitOutcome = (typeof BENEFIT_OUTCOMES)[number];

export type BenefitKind = (typeof BENEFIT_KINDS)[number];
