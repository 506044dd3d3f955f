import type { EarningRule } from "../plan/earning-draft.ts";

/** Orders of customers with an excluded tag earn nothing (program.md 9, `excluded_customer_tags`). */
export const customerTags: EarningRule = {
  name: "customer tags",
  countsForSpend: true,
  apply: (lines, { rules }) => (rules.isCustomerExcluded ? [] : lines),
};
