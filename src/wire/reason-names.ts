import type { ReasonType } from "./allotment-choices.ts";
import type { Language } from "./language.ts";

/** The names of the reason types of allotments. */
export const REASON_NAMES = {
  en: {
    compensation: "Compensation",
    coupon: "Coupon",
    expiration: "Expiration",
    fulfillment: "Order",
    refund: "Refund",
    reward: "Reward",
    system_fix: "Correction",
    test_allotment: "Test",
  },
  ja: {
    compensation: "お詫び・補填",
    coupon: "クーポン",
    expiration: "失効",
    fulfillment: "注文",
    refund: "返金",
    reward: "特典",
    system_fix: "訂正",
    test_allotment: "テスト",
  },
} as const satisfies Record<Language, Record<ReasonType, string>>;
