import { defineWords } from "../words/use-words.ts";

export const words = defineWords({
  en: { waiting: (n: number) => `${n} waiting` },
  ja: { waiting: (n) => `承認待ち${n}件` },
});
