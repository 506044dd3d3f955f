import { defineWords } from "./use-words.ts";

/** The terms that a manager needs, each with its meaning, in the order of a program, not of the alphabet. */
export const GLOSSARY_TERMS = [
  "rate",
  "pending",
  "tier",
  "check",
  "campaign",
  "bonus",
  "expiry",
  "activity",
  "shortfall",
  "coupon",
  "reward",
  "adjustment",
  "approval",
  "hold",
  "lot",
  "liability",
] as const;
export type GlossaryTerm = (typeof GLOSSARY_TERMS)[number];

export const glossaryWords = defineWords({
  en: {
    rate: {
      word: "Rate",
      meaning: "How many points an amount earns: 1 point per 100. A tier or a campaign may have its own.",
    },
    pending: {
      word: "Pending",
      meaning: "Points of an order that is known but not yet paid, shipped or old enough to be awarded.",
    },
    tier: { word: "Tier", meaning: "A level that customers reach by what they spent; each may earn at its own rate." },
    check: {
      word: "Tier check",
      meaning: "The moment, on the 1st of a month, at which customers move up or down by what they spent.",
    },
    campaign: {
      word: "Campaign",
      meaning: "A period in which orders earn at other rates, decided by when the order was placed.",
    },
    bonus: { word: "Bonus collection", meaning: "Products of a collection that earn points on top of the rate." },
    expiry: {
      word: "Expiry",
      meaning: "The date from which points can no longer be spent. They are removed at the next sweep after it.",
    },
    activity: {
      word: "Activity",
      meaning: "What extends the expiry of a whole balance: orders, API awards, rewards, and coupons if set.",
    },
    shortfall: { word: "Shortfall", meaning: "Points of a refunded order that the customer has already spent." },
    coupon: { word: "Coupon", meaning: "A discount code made from points. Unused, it gives them back." },
    reward: {
      word: "Reward",
      meaning: "Points for something other than an order: signing up, the newsletter, a birthday.",
    },
    adjustment: { word: "Adjustment", meaning: "Points that a person gives or takes in this dashboard." },
    approval: {
      word: "Approval",
      meaning: "What a second person decides, when points or a change of the program are above a limit.",
    },
    hold: {
      word: "Hold",
      meaning: "Points that are set aside until they are used or released; they cannot be spent twice.",
    },
    lot: {
      word: "Lot",
      meaning: "What is left of one award, with its date. Spending takes from the lot that expires first.",
    },
    liability: { word: "Liability", meaning: "What all points that customers hold would cost, if they were spent." },
  },
  ja: {
    rate: {
      word: "付与率",
      meaning:
        "金額に対して付与するポイント数です（例：100円ごとに1ポイント）。ランクやキャンペーンごとに設定できます。",
    },
    pending: { word: "付与待ち", meaning: "支払い、発送または待機日数が済んでいない注文のポイントです。" },
    tier: { word: "会員ランク", meaning: "購入額に応じて到達する段階です。ランクごとに付与率を設定できます。" },
    check: { word: "ランクの判定", meaning: "毎月1日などに、購入額に応じて会員のランクを上下させる処理です。" },
    campaign: { word: "キャンペーン", meaning: "付与率が変わる期間です。注文日時で判定します。" },
    bonus: { word: "ボーナス対象", meaning: "通常の付与に加えてポイントが付くコレクションの商品です。" },
    expiry: { word: "有効期限", meaning: "この日を過ぎるとポイントを使えません。次の失効処理で残高から除かれます。" },
    activity: {
      word: "利用",
      meaning: "残高全体の期限を延ばす動きです（注文、APIでの付与、特典、設定によりクーポン）。",
    },
    shortfall: { word: "不足分", meaning: "返金された注文のポイントのうち、すでに使われていた分です。" },
    coupon: { word: "クーポン", meaning: "ポイントと引き換えの割引コードです。未使用の場合はポイントが戻ります。" },
    reward: { word: "特典", meaning: "会員登録、メルマガ登録、誕生日など、注文以外で付与するポイントです。" },
    adjustment: { word: "調整", meaning: "スタッフがこの画面で付与または減算するポイントです。" },
    approval: { word: "承認", meaning: "上限を超えるポイントやプログラムの変更を、別のスタッフが判断することです。" },
    hold: { word: "ポイントの確保", meaning: "使用または解除されるまで取り置かれるポイントです。二重には使えません。" },
    lot: { word: "付与分", meaning: "1回の付与のうち残っているポイントと期限です。期限の近いものから使われます。" },
    liability: { word: "ポイント負債", meaning: "会員が持つポイントがすべて使われた場合の費用です。" },
  },
});
