/** What changed a customer's points, in the customer's terms and in the order of an account. */
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
  "import",
  "undo",
  "workflow",
  "other",
  "debt",
  "expiration",
  "deletion",
] as const;

export type AccountKind = (typeof ACCOUNT_KINDS)[number];
