/** Allotment Reason Types (interface.md 2.4). */
export const REASON_TYPES = [
  "compensation",
  "coupon",
  "expiration",
  "fulfillment",
  "refund",
  "reward",
  "system_fix",
  "test_allotment",
] as const;

export type ReasonType = (typeof REASON_TYPES)[number];

/** The origin of points, for accounting (program.md 3). */
export const ORIGINS = ["promotion", "compensation", "purchase", "migration", "sale"] as const;

export type Origin = (typeof ORIGINS)[number];

/** Reason types in the order in which forms offer them: the most common first. */
export const REASON_CHOICES: readonly ReasonType[] = [
  "compensation",
  "system_fix",
  "reward",
  "refund",
  "fulfillment",
  "coupon",
  "expiration",
  "test_allotment",
];

/** The origins of an import, in the order of its form: most files bring the points of an earlier program. */
export const IMPORT_ORIGINS = [
  "migration",
  "promotion",
  "compensation",
  "sale",
  "purchase",
] as const satisfies readonly Origin[];
