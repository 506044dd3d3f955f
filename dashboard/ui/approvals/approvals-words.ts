import { defineWords } from "../../words/use-words.ts";

export const words = defineWords({
  en: {
    waiting: (n: number) => `${n} waiting`,
    nobodyElse:
      "Nobody else can approve this now: an owner can make another person a manager or owner under People. The operator of the server can change the program and its limits with “pointkeeper program apply”.",
  },
  ja: {
    waiting: (n) => `承認待ち${n}件`,
    nobodyElse:
      "現在、承認できるスタッフがほかにいません。オーナーは「スタッフ」で別の人をマネージャーまたはオーナーにできます。サーバーの管理者は「pointkeeper program apply」でプログラムと上限を変更できます。",
  },
});
