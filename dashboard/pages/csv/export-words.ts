import { defineWords } from "../../words/use-words.ts";

export const exportWords = defineWords({
  en: {
    exportTitle: "Statements",
    exportHint:
      "One row for each customer with a change in the period: opening balance, points earned, spent and expired, closing balance.",
    newExport: "New statement",
    from: "From",
    to: "To, included",
    request: "Create statement",
    requested: "The statement is being created",
    nextExport: (at: string) => `One statement every 8 hours: the next can be requested ${at}.`,
    period: "Period",
    requestedBy: "Requested by",
    download: "Download",
    noExports: "No statements yet",
    exportStates: { processing: "In progress", ready: "Ready", failed: "Failed" },
    kept: "Files are kept for 30 days.",
  },
  ja: {
    exportTitle: "ポイント明細",
    exportHint: "期間中に変動のあった会員を1行ずつ記載します。期首残高、獲得・利用・失効、期末残高を含みます。",
    newExport: "新しい明細",
    from: "開始日",
    to: "終了日（当日を含む）",
    request: "明細を作成",
    requested: "明細を作成しています",
    nextExport: (at) => `明細の作成は8時間に1回です。次は${at}に作成できます。`,
    period: "期間",
    requestedBy: "依頼者",
    download: "ダウンロード",
    noExports: "まだ明細はありません",
    exportStates: { processing: "作成中", ready: "完了", failed: "失敗" },
    kept: "ファイルは30日間保存されます。",
  },
});
