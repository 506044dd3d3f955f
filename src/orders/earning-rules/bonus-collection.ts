import type { Rate } from "../../program/program.ts";
import { type EarningRule, productOf } from "../plan/earning-draft.ts";
import { isBetterRate } from "../plan/order-rules.ts";

/** A line's bonus is that of its best active bonus collection (program.md 4). */
export const bonusCollection: EarningRule = {
  name: "bonus collection",
  countsForSpend: false,
  apply: (lines, { rules }) =>
    lines.map((draft) => ({ ...draft, bonus: bestOf(productOf(draft.line, rules).collections, rules.bonuses) })),
};

function bestOf(collections: readonly string[], bonuses: ReadonlyMap<string, Rate>): Rate | null {
  const rates = collections.flatMap((id) => bonuses.get(id) ?? []);
  return rates.reduce<Rate | null>((best, rate) => (best === null || isBetterRate(rate, best) ? rate : best), null);
}
