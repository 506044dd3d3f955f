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
