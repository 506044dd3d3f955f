import type { EarningRule } from "../plan/earning-draft.ts";

/** Orders whose points came with a file of another app earn nothing (docs/moving-in.md); whether they count toward tiers is decided elsewhere. */
export const movedIn: EarningRule = {
  name: "moved in",
  countsForSpend: false,
  apply: (lines, { rules }) => (rules.movedIn.points ? [] : lines),
};
