import type { ReadDeps } from "../../deps.ts";
import { type MonthCustomers, selectGrowthMonths, selectLapsing } from "../../growth/read-queries.ts";
import { type GrowthState, readGrowthState } from "./read-growth-state.ts";

const MONTHS = 12;

export interface Growth extends GrowthState {
  readonly firstMonth: number;
  readonly figures: readonly MonthCustomers[];
  /** The number of customers by the month in which they lapsed. */
  readonly lapsing: ReadonlyMap<number, bigint>;
}

/** Reads how many customers joined, ordered first and lapsed in the last 12 months, and how active all customers are. */
export function readGrowth(deps: Pick<ReadDeps, "db" | "clock">): Promise<Growth> {
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const { timeZone: _, ...counted } = await readGrowthState(tx, now);
    const [figures, lapsing] = await Promise.all([selectGrowthMonths(tx), selectLapsing(tx, now)]);
    return { ...counted, firstMonth: counted.lastMonth - MONTHS + 1, figures, lapsing };
  });
}
