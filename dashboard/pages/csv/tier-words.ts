import { counted } from "../../words/counted.ts";
import { defineWords } from "../../words/use-words.ts";

/** How many customers a file of tiers moves. */
export const tierWords = defineWords({
  en: {
    raised: "Move to a higher tier",
    lowered: "Move to a lower tier",
    same: "Stay in their tier",
    importText: (raised: string, lowered: string, same: string) =>
      `Moves ${counted(raised, "customer")} to a higher tier and ${lowered} to a lower one; ${same} stay in theirs.`,
  },
  ja: {
    raised: "ランクアップ",
    lowered: "ランクダウン",
    same: "ランクの変更なし",
    importText: (raised, lowered, same) =>
      `ランクが上がる会員は${raised}人、下がる会員は${lowered}人、変わらない会員は${same}人です。`,
  },
});
