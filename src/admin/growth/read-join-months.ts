import type { ReadDeps } from "../../deps.ts";
import { type JoinedPoints, selectJoinedPoints } from "../../growth/joined-points-queries.ts";
import { type MonthCustomers, selectGrowthMonths } from "../../growth/read-queries.ts";
import { type GrowthState, readGrowthState } from "./read-growth-state.ts";

const MONTHS = 24;

export interface JoinMonths extends GrowthState {
  /** Earlier months are shown together. */
  readonly firstMonth: number;
  readonly figures: readonly MonthCustomers[];
  readonly points: readonly JoinedPoints[];
}

/** Reads the figures of the customers who joined in each of the last 24 months, and before. */
export function readJoinMonths(deps: Pick<ReadDeps, "db" | "clock">): Promise<JoinMonths> {
  return deps.db.snapshot(async (tx) => {
    const { timeZone: _, ...counted } = await readGrowthState(tx, deps.clock.now());
    const [figures, points] = await Promise.all([selectGrowthMonths(tx), selectJoinedPoints(tx)]);
    return { ...counted, firstMonth: counted.lastMonth - MONTHS + 1, figures, points };
  });
}
