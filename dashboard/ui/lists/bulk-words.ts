import { REASON_NAMES } from "../../../src/wire/reason-names.ts";
import { counted } from "../../words/counted.ts";
import { defineWords } from "../../words/use-words.ts";

/** The texts of points or a tier for many customers. */
export const bulkWords = defineWords({
  en: {
    givePoints: "Give or take points",
    setTier: "Change tier",
    forSelected: (n: string) => `For ${counted(n, "selected customer")}.`,
    points: "Points for each customer",
    pointsHint: "With a minus sign they are taken.",
    reason: "Reason",
    noReason: "No reason",
    note: "Note",
    noteHint: "Shown in each customer's history.",
    tier: "Tier",
    skipNext: "Keep this tier at the next check",
    prepare: "Check and preview",
    bulkHint:
      "This prepares an import: you see what it will do, start it, and can undo it. Above your limit a second person approves it.",
    tierHint: "This prepares an import: you see how many customers it covers, start it, and can undo it.",
    selection: "Selection",
    selected: (n: string) => `${n} selected`,
    elsewhere: (n: string) => `(${n} not on this page)`,
    sameImport: "Open that import",
    most: (n: string) => `At most ${n} at once: save a segment for more.`,
    selectPage: "Select all on this page",
    exportChosen: "Export CSV",
    done: "Cancel",
    reasons: REASON_NAMES.en,
  },
  ja: {
    givePoints: "ポイントの付与・減算",
    setTier: "会員ランクの変更",
    forSelected: (n) => `選択した会員${n}人が対象です。`,
    points: "会員1人あたりのポイント",
    pointsHint: "マイナスを付けると減算します。",
    reason: "理由",
    noReason: "理由なし",
    note: "メモ",
    noteHint: "会員の履歴に表示されます。",
    tier: "会員ランク",
    skipNext: "次回の判定ではこのランクを維持する",
    prepare: "確認へ進む",
    bulkHint:
      "インポートとして準備します。内容を確認してから実行し、あとで取り消せます。上限を超える場合は別のスタッフの承認が必要です。",
    tierHint: "インポートとして準備します。対象の人数を確認してから実行し、あとで取り消せます。",
    selection: "選択",
    selected: (n) => `${n}人を選択中`,
    elsewhere: (n) => `（うち${n}人は別のページ）`,
    sameImport: "そのインポートを開く",
    most: (n) => `一度に選択できるのは${n}人までです。それより多い場合はセグメントを保存してください。`,
    selectPage: "このページをすべて選択",
    exportChosen: "CSVをエクスポート",
    done: "キャンセル",
    reasons: REASON_NAMES.ja,
  },
});
