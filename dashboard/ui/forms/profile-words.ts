import { defineWords } from "../../words/use-words.ts";

/** The names of a profile's fields. */
export const profileWords = defineWords({
  en: {
    profile: {
      name: "Name",
      name_reading: "Reading",
      email: "E-mail",
      birthday: "Birthday",
      accepts_marketing: "Marketing",
      tags: "Tags",
    },
    readingHint: "Of a Japanese name, in kana: the search finds it",
    birthdayHint: "Leave the year empty if it is not known",
    birthdayFault: "Choose a day and a month that exist. The year has four digits, or is left empty.",
    year: "Year",
    month: "Month",
    day: "Day",
    dayName: (n: number) => String(n),
    tagsHint: "One per line",
    unknown: "Unknown",
    agreed: "Agreed",
    declined: "Declined",
    ofPlatform: "Kept by the store's platform: change it there.",
  },
  ja: {
    profile: {
      name: "氏名",
      name_reading: "フリガナ",
      email: "メールアドレス",
      birthday: "誕生日",
      accepts_marketing: "メール配信",
      tags: "タグ",
    },
    readingHint: "ひらがなでもカタカナでも検索できます",
    birthdayHint: "年が不明な場合は、年を空欄にしてください",
    birthdayFault: "実在する月と日を選んでください。年は4桁で入力するか、空欄にしてください。",
    year: "年",
    month: "月",
    day: "日",
    dayName: (n) => `${n}日`,
    tagsHint: "1行に1つ",
    unknown: "不明",
    agreed: "同意",
    declined: "不同意",
    ofPlatform: "プラットフォームで管理されている項目です。プラットフォームで変更してください。",
  },
});
