import { defineWords } from "../../words/words.ts";

/** The filters of a list's file that another field of entries has the name of. */
export const auditFileFilterNames = defineWords({
  en: {
    "growth-moves": { direction: "move", from: "from tier", to: "to tier" },
    "intake-receipts": { subject: "order or customer id" },
    mails: { to: "recipient" },
  },
  ja: {
    "growth-moves": { direction: "変更", from: "変更前のランク", to: "変更後のランク" },
    "intake-receipts": { subject: "注文IDまたは会員ID" },
    mails: { to: "宛先" },
  },
});

/** The names of lists, by the ids under which saved views and files of them are recorded. */
export const auditListNames = defineWords({
  en: {
    approvals: "Approvals",
    audit: "Audit log",
    customers: "Customers",
    deliveries: "Webhook deliveries",
    imports: "Imports",
    ledger: "Ledger",
    mails: "Mail log",
    orders: "Orders",
    receipts: "Receipts",
    results: "Results",
    "growth-moves": "Customers who moved",
    "growth-stays": "Customers in a tier",
    "intake-receipts": "Receipts",
    "results-benefits-list": "Coupons or rewards by customer",
    "webhooks-deliveries": "Webhook deliveries",
  },
  ja: {
    approvals: "承認",
    audit: "操作履歴",
    customers: "会員",
    deliveries: "Webhookの配信",
    imports: "インポート",
    ledger: "ポイント履歴",
    mails: "メールの送信履歴",
    orders: "注文",
    receipts: "受信データ",
    results: "施策の結果",
    "growth-moves": "ランクが変わった会員",
    "growth-stays": "会員ランクの会員",
    "intake-receipts": "受信データ",
    "results-benefits-list": "会員ごとのクーポンまたは特典",
    "webhooks-deliveries": "Webhookの配信",
  },
});
