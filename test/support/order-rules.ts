import type { OrderRules } from "../../src/orders/plan/order-rules.ts";

/** Rules of a yen store: 1 point per 100 yen, rounded up, tax included, awarded when paid and shipped. */
export const YEN_RULES: OrderRules = {
  programVersion: 1,
  currency: "JPY",
  timeZone: "Asia/Tokyo",
  tier: { uid: "t1", name: "Bronze" },
  rate: { pointValue: 1n, currencyValue: 100n },
  campaign: null,
  bonuses: new Map(),
  rounding: "up",
  includeTax: true,
  separateTax: false,
  awardOn: "paid_and_fulfilled",
  pendingDays: 0,
  excludedProductTags: ["no-points"],
  isCustomerExcluded: false,
  movedIn: { points: false, spend: false },
  spendAt: "fulfilled",
  shortfall: "cap",
  reimburseCouponsOnPartial: true,
  pointWorth: 1n,
  products: new Map(),
};
