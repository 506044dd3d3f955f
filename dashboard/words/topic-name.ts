import { nameOf } from "./name-of.ts";
import { defineWords, useWords } from "./use-words.ts";

const names = defineWords({
  en: {
    "point_allotment/cascade": "Points were added or taken",
    "point_balance/update": "A customer's balance changed",
    "point_balances/export": "An export is ready",
  },
  ja: {
    "point_allotment/cascade": "ポイントの付与・減算",
    "point_balance/update": "会員のポイント残高の変更",
    "point_balances/export": "エクスポートの完了",
  },
});

/** Returns a function that names webhook topics; an unknown one has its own name. */
export function useTopicName(): (topic: string) => string {
  const known = useWords(names);
  return (topic) => nameOf(known, topic);
}
