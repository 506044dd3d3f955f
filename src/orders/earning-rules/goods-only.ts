import type { EarningRule } from "../plan/earning-draft.ts";

/** Gift cards, tips and fees earn nothing; shipping is not a line (program.md 4). */
export const goodsOnly: EarningRule = {
  name: "goods only",
  countsForSpend: true,
  apply: (lines) => lines.filter(({ line }) => line.kind === "product" || line.kind === "custom"),
};
