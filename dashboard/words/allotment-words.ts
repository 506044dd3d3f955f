import { defineWords } from "./words.ts";

/** How the types of allotments and the reasons that somebody gave for one are called, on every page that shows them. */
export const ALLOTMENT_TYPES = {
  en: {
    fulfillment: "Order",
    tax: "Order tax",
    refund: "Refund",
    coupon_reimbursement: "Coupon returned",
    coupon_cancellation: "Coupon cancelled",
    reward: "Reward",
    manual: "Manual",
    csv: "CSV import",
    api: "API",
    flow: "Workflow",
    expiration: "Expired",
    deletion: "Deleted",
  },
  ja: {
    fulfillment: "注文付与",
    tax: "注文付与（税）",
    refund: "返金による取消",
    coupon_reimbursement: "クーポン返還",
    coupon_cancellation: "クーポン取消",
    reward: "特典",
    manual: "手動調整",
    csv: "CSV取込",
    api: "API",
    flow: "ワークフロー",
    expiration: "失効",
    deletion: "削除",
  },
};

export const REASON_TYPES = {
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
};

/** What every list of allotments says. */
export const allotmentWords = defineWords({
  en: {
    time: "Time",
    type: "Type",
    points: "Points",
    balance: "Balance",
    types: ALLOTMENT_TYPES.en,
    reasons: REASON_TYPES.en,
    order: (id: string) => `Order ${id}`,
    apps: { dashboard: "Dashboard", pointkeeper: "Pointkeeper" },
    rewards: { "reward-1": "Sign-up", "reward-2": "Newsletter", "reward-3": "Birthday" },
    objects: { coupon: "Coupon", reservation: "Reservation", balance: "Merged customer" },
  },
  ja: {
    time: "日時",
    type: "種別",
    points: "ポイント",
    balance: "残高",
    types: ALLOTMENT_TYPES.ja,
    reasons: REASON_TYPES.ja,
    order: (id) => `注文 ${id}`,
    apps: { dashboard: "管理画面", pointkeeper: "Pointkeeper" },
    rewards: { "reward-1": "会員登録", "reward-2": "メルマガ登録", "reward-3": "誕生日" },
    objects: { coupon: "クーポン", reservation: "ポイントの確保", balance: "会員の統合" },
  },
});
