import { defineWords } from "../../words/use-words.ts";

/** What the columns of a file are called. */
export const memberWords = defineWords({
  en: {
    customer: "Email or id",
    points: "Points",
    extension: "Expiration extension",
    reason: "Reason",
    note: "Note",
    tier: "Tier",
    minimum_tier: "Minimum tier",
    skip_next_check: "Skip next check",
    id: "Id",
    email: "Email",
    name: "Name",
    birthday: "Birthday",
    accepts_marketing: "Accepts marketing",
    account_enabled: "Account enabled",
  },
  ja: {
    customer: "メールアドレスまたはID",
    points: "ポイント",
    extension: "有効期限延長",
    reason: "理由",
    note: "メモ",
    tier: "会員ランク",
    minimum_tier: "最低ランク",
    skip_next_check: "次回判定をスキップ",
    id: "顧客ID",
    email: "メールアドレス",
    name: "名前",
    birthday: "誕生日",
    accepts_marketing: "マーケティング同意",
    account_enabled: "アカウント有効",
  },
});
