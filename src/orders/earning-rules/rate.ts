import type { EarningRule } from "../earning-draft.ts";

/** Every line that is left earns by the order's rate: the campaign's, else the tier's (program.md 4). */
export const rate: EarningRule = {
  name: "rate",
  countsForSpend: false,
  apply: (lines, { rules }) => lines.map((draft) => ({ ...draft, rate: rules.rate })),
};
