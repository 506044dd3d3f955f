/** How far an order is paid, in neutral form. */
export const FINANCIAL_STATUSES = [
  "pending",
  "authorized",
  "partially_paid",
  "paid",
  "partially_refunded",
  "refunded",
  "voided",
  "expired",
] as const;

export type FinancialStatus = (typeof FINANCIAL_STATUSES)[number];
