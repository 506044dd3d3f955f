import type { EarningRule } from "../plan/earning-draft.ts";

/** Test orders and cancelled orders earn nothing (program.md 4). */
export const liveOrder: EarningRule = {
  name: "live order",
  countsForSpend: true,
  apply: (lines, { facts }) => (facts.test || facts.cancelledAt !== null ? [] : lines),
};
