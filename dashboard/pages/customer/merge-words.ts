import { counted } from "../../words/counted.ts";
import { defineWords } from "../../words/use-words.ts";

export const mergeWords = defineWords({
  en: {
    title: "Merge another customer into this one",
    hint: "Points with their dates, orders, tier, holds and notes of the other customer come to this one, and whatever is unknown here of name, e-mail, birthday, consent and tags. The other's id leads here from then on. If both have accounts at the store's platform, merge them there too.",
    other: "Id or e-mail of the other customer",
    noSuch: "No customer has this id or e-mail address.",
    preview: "Preview",
    caption: "What the merge comes to",
    field: "Field",
    kept: "This customer",
    removed: "The other",
    after: "Afterwards",
    id: "Id",
    name: "Name",
    reading: "Reading",
    email: "E-mail",
    birthday: "Birthday",
    marketing: "Marketing",
    agreed: "Agreed",
    declined: "Declined",
    tags: "Tags",
    available: "Points available",
    held: "Held",
    owed: "Owed",
    lots: "Point lots",
    expiries: "Expires",
    more: (n: number) => `and ${n} more`,
    tier: "Tier",
    minimum: "Minimum tier",
    notes: "Notes",
    merge: "Merge",
    confirmTitle: "Merge these customers?",
    confirm: (removed: string, kept: string) => `${removed} becomes part of ${kept}. This cannot be undone.`,
    done: (name: string) => `${name} was merged into this customer`,
    ask: "Request approval",
    needs: (points: string) =>
      `${counted(points, "point")} would move, more than you may move alone of one customer within 24 hours. A second person has to approve it.`,
    needsOfDay: (points: string) =>
      `${counted(points, "point")} would move, more than you may move alone within 24 hours. A second person has to approve it.`,
    needsOfKept: (moved: string, points: string) =>
      `${counted(moved, "point")} would move. The other's id leads to the points of this customer too: ${points}, more than you may move alone of one customer within 24 hours. A second person has to approve it.`,
    needsOfKeptOfDay: (moved: string, points: string) =>
      `${counted(moved, "point")} would move. The other's id leads to the points of this customer too: ${points}, more than you may move alone within 24 hours. A second person has to approve it.`,
    needsOfOrders: (points: string, ofOrders: string) =>
      `Both ids would lead to ${counted(points, "point")}, ${ofOrders} of them from orders that have not awarded them yet: more than you may move alone of one customer within 24 hours. A second person has to approve it.`,
    needsOfOrdersOfDay: (points: string, ofOrders: string) =>
      `Both ids would lead to ${counted(points, "point")}, ${ofOrders} of them from orders that have not awarded them yet: more than you may move alone within 24 hours. A second person has to approve it.`,
    with: (points: string) =>
      `${counted(points, "point")} that you moved before also ${points === "1" ? "counts" : "count"}.`,
    asked: "A second person has to approve the merge",
    confirmAskTitle: "Request approval of this merge?",
    confirmAsk: (removed: string, kept: string) =>
      `Nothing changes until a second person approves that ${removed} becomes part of ${kept}.`,
    cancel: "Cancel",
  },
  ja: {
    title: "別の会員をこの会員に統合",
    hint: "相手の会員のポイント（有効期限ごと）、注文、ランク、確保中のポイント、メモがこの会員に移り、この会員で不明な氏名・メールアドレス・誕生日・配信の同意・タグも補われます。以後、相手のIDではこの会員が表示されます。両方がプラットフォームの会員の場合は、プラットフォームでも統合してください。",
    other: "相手の会員のIDまたはメールアドレス",
    noSuch: "このIDまたはメールアドレスの会員はいません。",
    preview: "結果を確認",
    caption: "統合の結果",
    field: "項目",
    kept: "この会員",
    removed: "相手の会員",
    after: "統合後",
    id: "ID",
    name: "氏名",
    reading: "フリガナ",
    email: "メールアドレス",
    birthday: "誕生日",
    marketing: "メール配信",
    agreed: "同意",
    declined: "不同意",
    tags: "タグ",
    available: "利用可能ポイント",
    held: "確保中",
    owed: "不足分",
    lots: "ポイントの内訳数",
    expiries: "失効予定",
    more: (n) => `ほか${n}件`,
    tier: "会員ランク",
    minimum: "最低ランク",
    notes: "メモ",
    merge: "統合する",
    confirmTitle: "この2人の会員を統合しますか？",
    confirm: (removed, kept) => `${removed}を${kept}に統合します。元に戻すことはできません。`,
    done: (name) => `${name}をこの会員に統合しました`,
    ask: "承認を依頼",
    needs: (points) =>
      `${points}ポイントが移ります。1人の会員について24時間以内に1人で動かせる上限を超えるため、別のスタッフの承認が必要です。`,
    needsOfDay: (points) =>
      `${points}ポイントが移ります。24時間以内に1人で動かせる上限を超えるため、別のスタッフの承認が必要です。`,
    needsOfKept: (moved, points) =>
      `${moved}ポイントが移ります。また、相手の会員のIDでこの会員の${points}ポイントも使えるようになります。1人の会員について24時間以内に1人で動かせる上限を超えるため、別のスタッフの承認が必要です。`,
    needsOfKeptOfDay: (moved, points) =>
      `${moved}ポイントが移ります。また、相手の会員のIDでこの会員の${points}ポイントも使えるようになります。24時間以内に1人で動かせる上限を超えるため、別のスタッフの承認が必要です。`,
    needsOfOrders: (points, ofOrders) =>
      `どちらのIDでも${points}ポイント（うち${ofOrders}ポイントは注文による今後の付与分）を使えるようになります。1人の会員について24時間以内に1人で動かせる上限を超えるため、別のスタッフの承認が必要です。`,
    needsOfOrdersOfDay: (points, ofOrders) =>
      `どちらのIDでも${points}ポイント（うち${ofOrders}ポイントは注文による今後の付与分）を使えるようになります。24時間以内に1人で動かせる上限を超えるため、別のスタッフの承認が必要です。`,
    with: (points) => `これまでに動かした${points}ポイントとの合計です。`,
    asked: "統合の承認を依頼しました",
    confirmAskTitle: "統合の承認を依頼しますか？",
    confirmAsk: (removed, kept) =>
      `別のスタッフが承認すると、${removed}を${kept}に統合します。それまでは何も変わりません。`,
    cancel: "キャンセル",
  },
});
