import type { EarningRule } from "../plan/earning-draft.ts";

/** Every remaining line earns by the order's rate: the campaign's, otherwise the tier's (program.md 4). */
export const rate: EarningRule = {
  name: "rate",
  countsForSpend: false,
  apply: (lines, { rules }) => lines.map((draft) => ({ ...draft, rate: rules.rate })),
};
