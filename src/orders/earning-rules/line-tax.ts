import type { EarningRule, LineDraft } from "../earning-draft.ts";
import type { OrderRules } from "../order-rules.ts";

/**
 * Tax per setting (program.md 4): `include_tax` adds a line's tax where the order's prices exclude it, apart where the store
 * awards it apart; without it, the tax is taken out where the prices include it.
 */
export const lineTax: EarningRule = {
  name: "line tax",
  countsForSpend: true,
  apply: (lines, { facts, rules }) => lines.map((draft) => withTax(draft, facts.stated.taxesIncluded ?? false, rules)),
};

function withTax(draft: LineDraft, taxesIncluded: boolean, rules: OrderRules): LineDraft {
  const tax = draft.line.tax.minor;
  if (taxesIncluded) {
    const net = draft.goods > tax ? draft.goods - tax : 0n;
    return rules.includeTax ? draft : { ...draft, goods: net };
  }
  if (!rules.includeTax) return draft;
  return rules.separateTax ? { ...draft, tax } : { ...draft, goods: draft.goods + tax };
}
