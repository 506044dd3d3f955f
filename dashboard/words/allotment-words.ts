import { INTEGRATION_NAMES } from "../../src/wire/integration-names.ts";
import { REASON_NAMES } from "../../src/wire/reason-names.ts";
import { defineWords } from "./words.ts";

/** The names of the types of allotments on every page. */
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
    csv: "CSVインポート",
    api: "API",
    flow: "ワークフロー",
    expiration: "失効",
    deletion: "削除",
  },
};

/** The texts of every list of allotments. */
export const allotmentWords = defineWords({
  en: {
    time: "Time",
    type: "Type",
    points: "Points",
    balance: "Balance",
    types: ALLOTMENT_TYPES.en,
    reasons: REASON_NAMES.en,
    order: (id: string) => `Order ${id}`,
    apps: {
      dashboard: "Dashboard",
      pointkeeper: "Pointkeeper",
      ...INTEGRATION_NAMES.en,
      manual_integration: "Your scripts",
    },
    rewards: { "reward-1": "Sign-up", "reward-2": "Newsletter", "reward-3": "Birthday" },
    objects: { coupon: "Coupon", review: "Review", reservation: "Reservation", balance: "Merged customer" },
  },
  ja: {
    time: "日時",
    type: "種別",
    points: "ポイント",
    balance: "残高",
    types: ALLOTMENT_TYPES.ja,
    reasons: REASON_NAMES.ja,
    order: (id) => `注文 ${id}`,
    apps: { dashboard: "管理画面", pointkeeper: "Pointkeeper", ...INTEGRATION_NAMES.ja },
    rewards: { "reward-1": "会員登録", "reward-2": "メルマガ登録", "reward-3": "誕生日" },
    objects: { coupon: "クーポン", review: "レビュー", reservation: "ポイントの確保", balance: "会員の統合" },
  },
});
