import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./order-words.ts";

interface Rate {
  readonly point_value: number;
  /** Minor units of the store's currency. */
  readonly currency_value: number;
}

/** A rate in words: "1 per ¥100". */
export function useRateText(): (rate: Rate) => string {
  const t = useWords(words);
  const format = useFormat();
  return ({ point_value, currency_value }) => t.per(format.points(point_value), format.money(currency_value));
}
