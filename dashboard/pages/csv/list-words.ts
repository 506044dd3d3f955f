import { defineWords } from "../../words/use-words.ts";

/** The texts of the search in the list of imports. */
export const listWords = defineWords({
  en: {
    search: "File name or person",
    noneFound: (q: string) => `No import matches “${q}”`,
  },
  ja: {
    search: "ファイル名またはスタッフ",
    noneFound: (q) => `「${q}」に一致するインポートはありません`,
  },
});
