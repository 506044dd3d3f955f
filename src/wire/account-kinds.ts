/** What moved a customer's points, as the customer would say it; in the order in which an account tells it. */
export const ACCOUNT_KINDS = [
  "moved_in",
  "merge",
  "order",
  "refund",
  "signup",
  "newsletter",
  "birthday",
  "review",
  "reward",
  "coupon",
  "coupon_return",
  "reservation",
  "compensation",
  "correction",
  "manual",
  "undo",
  "import",
  "workflow",
  "other",
  "debt",
  "expiration",
  "deletion",
] as const;

export type AccountKind = (typeof ACCOUNT_KINDS)[number];
