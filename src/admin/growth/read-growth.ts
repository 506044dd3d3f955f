import type { ReadDeps } from "../../deps.ts";
import {
  type MonthCustomers,
  selectGrowthMonths,
  selectLapsedByMonth,
  selectLapsing,
} from "../../growth/read-queries.ts";
import { startOfMonthIndex } from "../../time/store-time.ts";
import { type GrowthState, readGrowthState } from "./read-growth-state.ts";

const MONTHS = 12;

export interface Growth extends GrowthState {
  readonly firstMonth: number;
  readonly figures: readonly MonthCustomers[];
  readonly lapsing: bigint;
  /** By the place of the month, from the first. */
  readonly lapsed: ReadonlyMap<number, bigint>;
}

/** Reads how many joined, ordered first and lapsed, of the last 12 months, and how active all customers are. */
export function readGrowth(deps: Pick<ReadDeps, "db" | "clock">): Promise<Growth> {
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const { timeZone, ...counted } = await readGrowthState(tx, now);
    const firstMonth = counted.lastMonth - MONTHS + 1;
    const starts = Array.from({ length: MONTHS + 1 }, (_, n) => startOfMonthIndex(firstMonth + n, timeZone));
    const [figures, lapsing, lapsed] = await Promise.all([
      selectGrowthMonths(tx),
      selectLapsing(tx, now),
      selectLapsedByMonth(tx, starts, now),
    ]);
    return { ...counted, firstMonth, figures, lapsing, lapsed };
  });
}
