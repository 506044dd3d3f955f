import type { EarningRule, LineDraft } from "../plan/earning-draft.ts";
import type { OrderRules } from "../plan/order-rules.ts";

/**
 * Tax by the settings (program.md 4): `include_tax` adds a line's tax if the order's prices exclude it, separately if the store awards it separately;
 * without it, the tax is subtracted if the prices include it.
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
    return rules.includeTax ? draft : { ...draft, goods: net, isTaxed: false };
  }
  if (!rules.includeTax) return draft;
  return rules.separateTax ? { ...draft, tax } : { ...draft, goods: draft.goods + tax, isTaxed: true };
}
