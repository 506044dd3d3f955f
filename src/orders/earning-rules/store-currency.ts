import type { EarningRule } from "../plan/earning-draft.ts";

/** An order in a currency other than the store's is stored and never earns (program.md 4). */
export const storeCurrency: EarningRule = {
  name: "store currency",
  countsForSpend: true,
  apply: (lines, { facts, rules }) => {
    const currency = facts.stated.shopCurrency ?? rules.currency;
    return lines.every(({ line }) => line.unitPrice.currency === rules.currency) && currency === rules.currency
      ? lines
      : [];
  },
};
