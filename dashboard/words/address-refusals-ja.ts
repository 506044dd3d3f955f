/** Refusals of an e-mail address that would give a customer's points to another one, in Japanese. */
export const ADDRESS_REFUSALS_JA: readonly (readonly [RegExp, string])[] = [
  [
    /^the present holder of this address would be merged with this customer: merge the two by hand instead$/,
    "このメールアドレスを持つ会員とこの会員が 1 人に統合されてしまいます。代わりに「統合」を行ってください",
  ],
  [
    /^another address gives the member's (\d+) points to whoever has it, more than you may move without approval: create/,
    "メールアドレスを変更すると、会員の$1ポイントが新しいアドレスの持ち主に移ります。承認なしで動かせる範囲を超えるため、新しいアドレスで会員を作成し、2人を統合してください",
  ],
  [
    /^this address gives the customer (\d+) points of guests' orders, more than you may move without approval: create/,
    "このメールアドレスでのゲスト注文の$1ポイントが会員に付与されます。承認なしで動かせる範囲を超えるため、このメールアドレスだけの会員を作成し、2人を統合してください",
  ],
];
