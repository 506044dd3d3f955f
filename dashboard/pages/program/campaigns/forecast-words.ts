import { counted } from "../../../words/counted.ts";
import { defineWords } from "../../../words/use-words.ts";

/** The texts of a campaign's forecast. */
export const forecastWords = defineWords({
  en: {
    title: "What it would give",
    ofCampaign: (name: string) => `What “${name}” would give`,
    checking: "Replaying the orders of comparable days…",
    unknown: "The draft cannot be replayed yet: see what is marked above.",
    none: (from: string, to: string) => `No orders came from ${from} to ${to}, the last comparable days.`,
    basis: (orders: string, from: string, to: string) =>
      `Replayed: ${counted(orders, "order")} from ${from} to ${to}, the last comparable days, by today's tiers.`,
    sampled: (looked: string) => `${looked} of them were looked at, and the figures are for all.`,
    longer: (times: string) =>
      `The campaign is ${times} times as long: points are for all of it, customers for the days that were replayed.`,
    notMore: "Orders that come because of the campaign are not in it.",
    usual: "Points without it",
    inCampaign: "Points with it",
    more: "More points",
    worth: (points: string, money: string) => `${points}, worth ${money} as coupons`,
    members: "Customers",
    tier: "Tier",
  },
  ja: {
    title: "付与の見込み",
    ofCampaign: (name) => `「${name}」の付与の見込み`,
    checking: "比較できる日の注文で計算しています…",
    unknown: "入力内容に問題があるため、まだ計算できません。",
    none: (from, to) => `比較できる直近の日（${from}～${to}）に注文はありません。`,
    basis: (orders, from, to) =>
      `比較できる直近の日（${from}～${to}）の注文${orders}件を、現在の会員ランクで計算しました。`,
    sampled: (looked) => `このうち${looked}件を計算し、全体に換算しています。`,
    longer: (times) => `キャンペーンの長さはその ${times} 倍です。ポイントは全期間、会員数は計算した日のものです。`,
    notMore: "キャンペーンによって増える注文は含みません。",
    usual: "通常のポイント",
    inCampaign: "キャンペーン時",
    more: "増えるポイント",
    worth: (points, money) => `${points}（クーポンとして${money}相当）`,
    members: "会員数",
    tier: "会員ランク",
  },
});
