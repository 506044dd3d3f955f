import { defineWords } from "../../words/use-words.ts";

export const words = defineWords({
  en: { title: "Glossary", subtitle: "What the words of a points program mean here" },
  ja: { title: "用語集", subtitle: "ポイントプログラムで使われる言葉の意味" },
});
