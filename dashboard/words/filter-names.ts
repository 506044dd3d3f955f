import { defineWords } from "./words.ts";

/** The values of lists' filters, for the list's page and for the audit log: by the list as its file is recorded, then by the filter. */
export const filterNames = defineWords({
  en: {
    approvals: { list: { waiting: "Waiting", decided: "Decided" } },
    customers: { sort: { newest: "Newest first", points: "Most points first" } },
    "growth-moves": { direction: { up: "Moved up", down: "Moved down" } },
    "growth-stays": { figure: { members: "Customers", kept: "Kept" } },
    "intake-receipts": {
      state: {
        new: "To be processed",
        waiting: "Waiting",
        failed: "Failed",
        quarantined: "Unreadable",
        done: "Processed",
      },
      warned: { yes: "yes" },
    },
    ledger: { direction: { earned: "Added", spent: "Taken" } },
    mails: {
      about: {
        access: "Invitation or reset",
        test: "Test",
        alert: "Alert",
        report: "Report",
        customer: "Message to a customer",
      },
      state: { waiting: "Waiting", sent: "Sent", failed: "Failed", expired: "Too late", withdrawn: "Withdrawn" },
    },
    orders: {
      state: {
        awarded: "Awarded",
        pending: "Pending",
        waiting: "Waits for customer",
        nothing: "Earns nothing",
        cancelled: "Cancelled",
        test: "Test",
        other_currency: "Other currency",
        no_program: "No program yet",
        sale: "Sales: all that count in Growth",
        customer_sale: "Sales to customers",
        guest_sale: "Sales to guests",
      },
    },
    results: { kind: { campaign: "Campaign", bonus: "Bonus collection" } },
    "results-benefits-list": {
      kind: { coupon: "Coupons", "reward-1": "Sign-up", "reward-2": "Newsletter", "reward-3": "Birthday" },
      outcome: { used: "Used", ordered: "Ordered within 30 days" },
    },
    segments: {
      activity: { active: "Active", lapsing: "Lapsing", once: "Ordered once", never: "Never ordered" },
      language: { und: "Not known" },
    },
    "webhooks-deliveries": { state: { all: "All states", waiting: "Waiting", failed: "Failed", done: "Delivered" } },
  },
  ja: {
    approvals: { list: { waiting: "承認待ち", decided: "処理済み" } },
    customers: { sort: { newest: "新しい順", points: "ポイントの多い順" } },
    "growth-moves": { direction: { up: "ランクアップ", down: "ランクダウン" } },
    "growth-stays": { figure: { members: "会員", kept: "ランク維持" } },
    "intake-receipts": {
      state: { new: "処理待ち", waiting: "保留中", failed: "失敗", quarantined: "読み取り不可", done: "処理済み" },
      warned: { yes: "はい" },
    },
    ledger: { direction: { earned: "増加", spent: "減少" } },
    mails: {
      about: {
        access: "招待・再設定",
        test: "テスト",
        alert: "アラート",
        report: "レポート",
        customer: "会員へのメール",
      },
      state: { waiting: "送信待ち", sent: "送信済み", failed: "失敗", expired: "期限切れ", withdrawn: "取り下げ" },
    },
    orders: {
      state: {
        awarded: "付与済み",
        pending: "付与待ち",
        waiting: "会員待ち",
        nothing: "対象外",
        cancelled: "キャンセル",
        test: "テスト",
        other_currency: "別通貨",
        no_program: "プログラム適用待ち",
        sale: "売上の対象（会員の動向の集計対象）",
        customer_sale: "会員の売上",
        guest_sale: "ゲストの売上",
      },
    },
    results: { kind: { campaign: "キャンペーン", bonus: "ボーナス対象" } },
    "results-benefits-list": {
      kind: { coupon: "クーポン", "reward-1": "会員登録", "reward-2": "メルマガ登録", "reward-3": "誕生日" },
      outcome: { used: "使用", ordered: "30日以内に注文" },
    },
    segments: {
      activity: { active: "継続中", lapsing: "離脱のおそれ", once: "購入1回", never: "購入なし" },
      language: { und: "不明" },
    },
    "webhooks-deliveries": {
      state: { all: "すべての状態", waiting: "配信待ち", failed: "失敗", done: "配信済み" },
    },
  },
});
