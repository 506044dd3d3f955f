import { counted } from "../../words/counted.ts";
import { defineWords } from "../../words/use-words.ts";

/** The texts of actions on an order: tasks for staff, and recomputing it. */
export const words = defineWords({
  en: {
    tasks: "Tasks for staff",
    taskKinds: {
      points_not_taken: (points: string) =>
        `${counted(points, "point")} could not be taken back: the balance was too low.`,
      points_not_given: (points: string) =>
        `${counted(points, "point")} could not be given: the balance would be too large.`,
      refund_key_used: (points: string) =>
        `${counted(points, "point was", "points were")} not taken back: another posting already has their key.`,
      award_key_used: (points: string) =>
        `${counted(points, "point was", "points were")} not given: another posting already has their key.`,
    },
    markDone: "Mark done",
    doneBy: (who: string) => `Done by ${who}`,
    taskDone: "Marked done",

    recompute: "Recompute",
    recomputeTitle: "Recompute the order's points",
    recomputeHint:
      "Uses the current tags of its products and customer. Tier, rates and campaign stay as they were when it was processed.",
    nothingToChange: "Nothing to change: the points are correct.",
    figure: "Figure",
    beforeIt: "Now",
    afterIt: "After",
    askedFor: (points: string) => `requested ${points}`,
    willPost: "Will be posted",
    productTags: "Tags of products",
    tagChange: (product: string, before: string, after: string) => `Product ${product}: ${before} → ${after}`,
    noTags: "none",
    unknownTags: "unknown",
    customerNowExcluded: "The customer now has an excluded tag.",
    customerNoMoreExcluded: "The customer no longer has an excluded tag.",
    write: "Post the difference",
    close: "Close",
    written: "The order was recomputed",
    unchanged: "No change was needed",
    changedMeanwhile: "The order has changed since then: review the difference again.",
  },
  ja: {
    tasks: "スタッフの確認事項",
    taskKinds: {
      points_not_taken: (points) => `残高が足りず、${points}ポイントを取り消せませんでした。`,
      points_not_given: (points) => `残高の上限を超えるため、${points}ポイントを付与できませんでした。`,
      refund_key_used: (points) => `同じキーの記録がすでにあるため、${points}ポイントを取り消していません。`,
      award_key_used: (points) => `同じキーの記録がすでにあるため、${points}ポイントを付与していません。`,
    },
    markDone: "対応済みにする",
    doneBy: (who) => `${who} が対応済み`,
    taskDone: "対応済みにしました",

    recompute: "再計算",
    recomputeTitle: "注文のポイントを再計算",
    recomputeHint: "商品と会員の現在のタグで計算し直します。会員ランク・付与率・キャンペーンは処理時点のままです。",
    nothingToChange: "変更はありません。ポイントは正しい状態です。",
    figure: "項目",
    beforeIt: "現在",
    afterIt: "再計算後",
    askedFor: (points) => `予定 ${points}`,
    willPost: "記録されるポイント",
    productTags: "商品のタグ",
    tagChange: (product, before, after) => `商品 ${product}：${before} → ${after}`,
    noTags: "なし",
    unknownTags: "不明",
    customerNowExcluded: "会員に除外対象のタグが付いています。",
    customerNoMoreExcluded: "会員に除外対象のタグはなくなりました。",
    write: "差分を反映する",
    close: "閉じる",
    written: "注文を再計算しました",
    unchanged: "変更はありませんでした",
    changedMeanwhile: "注文の内容が変わりました。もう一度差分を確認してください。",
  },
});
