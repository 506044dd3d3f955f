import { REASON_NAMES } from "../wire/reason-names.ts";
import type { Messages } from "./messages.ts";

const by = (actor: string | null): string => (actor === null ? "" : `（担当: ${actor}）`);
const expiry = (at: string | null): string => (at === null ? "有効期限なし" : `有効期限 ${at}`);

const REASONS: Readonly<Record<string, string>> = REASON_NAMES.ja;
const reason = (type: string | null): string | null => (type === null ? null : (REASONS[type] ?? type));

export const JAPANESE: Messages = {
  types: {
    coupon_reimbursement: "注文の返金・キャンセルに伴うクーポンポイントの返還",
    coupon_cancellation: "未使用クーポンのポイント返還",
    csv: "CSVインポート",
    deletion: "ポイントの削除",
    expiration: "ポイントの失効",
    manual: "手動での調整",
    refund: "返金・キャンセルに伴うポイントの減算",
    api: "APIによる調整",
    flow: "ワークフローによる調整",
    fulfillment: "注文によるポイント付与",
    tax: "注文の税額分のポイント付与",
    reward: "特典ポイント",
  },
  merge: "会員の統合によるポイントの移動",
  undoing: { adjustment: "調整の取り消し", import: "インポートの取り消し" },
  roundings: { up: "切り上げ", down: "切り捨て", half_up: "四捨五入" },
  exclusions: {
    live_order: "テスト注文、またはキャンセルされた注文のため",
    store_currency: "ストアの通貨と異なる注文のため",
    customer_tags: "会員に対象外のタグがあるため",
    goods_only: "ギフトカード・チップ・手数料は対象外のため",
    product_tags: "商品に対象外のタグがあるため",
  },
  tierCauses: { api: "API", check: "定期判定", program: "プログラムの変更", manual: "手動", merge: "会員の統合" },

  rewards: { signup: "会員登録", marketing_opt_in: "メルマガ登録", birthday: "誕生日" },

  headline: (points, at, type) => `${at} に ${points} ポイント: ${type}。`,
  ofOrder: (name, title) => (title === null ? `注文 ${name}。` : `注文 ${name}「${title}」。`),
  balance: (before, after) => `残高は ${before} から ${after} になりました。`,
  requestedByCredential: (name, actor) => `認証情報「${name}」による依頼です${by(actor)}。`,
  causedByPlatform: (name, actor) => `「${name}」から届いた内容によるものです${by(actor)}。`,
  requestedByStaff: (name) => `管理画面での操作です${by(name)}。`,
  postedByService: () => "サービスが自動で記録しました。",
  movedIn: (app) => `「${app}」から移行されたポイントです。`,
  earnedAt: (at) => `獲得日時は ${at} です。`,
  ownExpiry: (at) => `固有の有効期限 ${at} があり、設定や利用によって変わることはありません。`,
  reason: (type, note) => `理由: ${[reason(type), note].filter((part) => part !== null).join("、")}。`,
  extendsExpiry: () => "残高の有効期限が延長されました。",
  programVersion: (version, author, from) =>
    `プログラムのバージョン ${version}${from === null ? "" : `（${from} 作成${author === null ? "" : `、作成者 ${author}`}）`}が有効でした。`,

  orderLine: ({ title, gross, discount, base, exact, rate, bonus, left }) =>
    `「${title}」: ${gross}${discount === null ? "" : `、割引 ${discount}`}、対象額 ${base}${
      left === null ? "" : `（返金後に残った割合 ${left}）`
    }、${rate}${bonus === null ? "" : `、ボーナス ${bonus}`}、端数処理前 ${exact} ポイント。`,
  excludedLine: (title, because) => `「${title}」は対象外です: ${because}。`,
  tierRate: (tier, campaign, rate) =>
    campaign === null
      ? `ランク「${tier}」の付与率: ${rate}。`
      : `キャンペーン「${campaign}」のランク「${tier}」の付与率: ${rate}。`,
  rate: (points, money) => `${money} につき ${points} ポイント`,
  rounding: (mode) => `端数処理は注文ごとに一度、${mode}です。`,
  award: ({ exact, after, before, share, isShipped }) =>
    `${isShipped ? "この発送" : "支払い"}までの合計は ${exact} ポイント、端数処理後 ${after}。すでに ${before} を付与済みのため、今回は ${share} です。`,
  refund: ({ before, after, exact }) =>
    `この返金により、発送済み分が ${before} から ${after} ポイント（端数処理前 ${exact}）に減りました。`,
  cancellation: ({ before }) => `注文がキャンセルされたため、付与済みの ${before} ポイントが返還の対象です。`,
  correction: (points) =>
    `注文の内容（編集、発送の取消、会員の変更）が変わったため、${points} ポイントで調整しました。`,
  requested: (requested, taken) => `必要だったのは ${requested} ポイント、記録されたのは ${taken} ポイントです。`,
  results: {
    capped: (rest) => `残高が足りず、残りの ${rest} ポイントは免除されました。`,
    owed: (rest) => `残高が足りず、残りの ${rest} ポイントは今後の付与から差し引かれます。`,
    refused: (rest) => `残高が足りず、残りの ${rest} ポイントは差し引かれず、スタッフに通知されました。`,
    set_off: (rest) => `残りの ${rest} ポイントは、この注文で取り消せなかったポイントと相殺されました。`,
  },
  notReproduced: () => "その後注文が変更されたため、上の数値は現在保存されている内容によるものです。",

  drawn: (points, source, at) => `使用元: ${at} の ${points} ポイント（${source}）。`,
  usedBy: (points, what, at) => `使用: ${at} に ${points} ポイント（${what}）。`,
  remaining: (points, expires) => `残り ${points} ポイント、${expiry(expires)}。`,
  nothingLeft: () => "残りはありません。",
  expired: (points, source, at, wentAt) =>
    `${at} の ${points} ポイント（${source}）${wentAt === null ? "" : `: ${wentAt} まで有効でした`}。`,
  sliding: (months, activeAt) =>
    `残高は最後の利用から ${months} か月で失効します${activeAt === null ? "（利用なし）" : `（最後の利用 ${activeAt}）`}。`,
  perAllotment: (months) => `ポイントは付与から ${months} か月で失効します。`,
  onlyOwnDates: () => "ポイントは個別の期限でのみ失効します。",
  coupon: (code, points, worth) => `クーポン ${code}: ${points} ポイント、${worth} 相当。`,
  couponUsed: (orderId) => `注文 ${orderId} で使用されました。`,
  couponReturned: () => "使用されず、ポイントは返還されました。",
  reward: (kind) => `特典: ${kind}。`,
  settledDebt: (points) => `残高が設定されたため、それまで不足していた ${points} ポイントは精算済みです。`,
  debt: () => "以前の返金で不足していたポイントの精算です。",

  history: ({ app, before, lastDay, earned, used, expired, adjusted, movedIn }) =>
    `${before === null ? `${lastDay} まで` : `${before} より前`}の「${app}」での記録: 獲得 ${earned}、利用 ${used}${expired === null ? "" : `、失効 ${expired}`}${
      adjusted === null ? "" : `、その他の増減 ${adjusted}`
    }。${movedIn === null ? "" : `移行されたポイント: ${movedIn}。`}`,
  held: (points) => `${points} ポイントは確保中です。`,
  owes: (points) =>
    `取り消し時に使用済みだった ${points} ポイントが不足分として残っており、次に獲得するポイントから差し引かれます。`,
  due: (points) => `${points} ポイントは期限に達し、もう使えません。次の記録または失効処理で差し引かれます。`,

  tierIs: (tier, at) => `${at} 時点のランクは「${tier}」です。`,
  neverPlaced: () => "標準のランクです。ほかのランクになったことはありません。",
  lastChange: ({ from, to, at, cause, actor, spend }) =>
    `${at} に「${from}」から「${to}」へ（${cause}${spend === null ? "" : `、購入額 ${spend}`}）${by(actor)}。`,
  floor: (tier) => `定期判定で「${tier}」より下がることはありません。`,
  skipsCheck: (at) => `${at} の判定は、この会員では行われません。`,
  keptUntil: (tier, until) => `${until} より前の判定で「${tier}」より下がることはありません。`,
  spentElsewhere: (amount) => `このうち ${amount} は、移行前の別のアプリでの購入額です。`,
  spent: (amount, from, orders, check) =>
    `${check} の判定の対象は、${from} からの ${amount}（${orders} 件の注文）です。`,
  toKeep: (tier, missing) => `「${tier}」の維持まであと ${missing}。`,
  toRise: (tier, missing) => `「${tier}」まであと ${missing}。`,
  highest: () => "これより上のランクはありません。",
};
