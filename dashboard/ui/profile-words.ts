import { defineWords } from "../words/use-words.ts";

/** The names of a profile's fields. */
export const profileWords = defineWords({
  en: {
    profile: { name: "Name", email: "E-mail", birthday: "Birthday", accepts_marketing: "Marketing", tags: "Tags" },
    birthdayHint: "YYYY-MM-DD, or --MM-DD without the year",
    tagsHint: "One per line",
    unknown: "Unknown",
    agreed: "Agreed",
    declined: "Declined",
    ofPlatform: "Kept by the store's platform: change it there.",
  },
  ja: {
    profile: {
      name: "氏名",
      email: "メールアドレス",
      birthday: "誕生日",
      accepts_marketing: "メール配信",
      tags: "タグ",
    },
    birthdayHint: "YYYY-MM-DD、年が不明な場合は--MM-DD",
    tagsHint: "1行に1つ",
    unknown: "不明",
    agreed: "同意",
    declined: "不同意",
    ofPlatform: "プラットフォームで管理されている項目です。プラットフォームで変更してください。",
  },
});
