import { type EarningRule, productOf } from "../plan/earning-draft.ts";

/** Lines of products with an excluded tag earn nothing; a product whose tags are not known is not excluded (program.md 4). */
export const productTags: EarningRule = {
  name: "product tags",
  countsForSpend: false,
  apply: (lines, { rules }) =>
    lines.filter(
      ({ line }) =>
        !productOf(line, rules).tags.some((tag) => rules.excludedProductTags.includes(tag.trim().toLowerCase())),
    ),
};
