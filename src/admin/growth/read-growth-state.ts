import type { Queryable } from "../../db/pool.ts";
import { selectGrowthProgress } from "../../growth/growth-queries.ts";
import { readProgram } from "../../program/read-program.ts";
import { selectSalesProgress } from "../../sales/sale-queries.ts";
import { monthIndex } from "../../time/store-time.ts";

/** How far the figures are counted. */
export interface GrowthState {
  /** Null: being counted for the first time. */
  readonly countedAt: Temporal.Instant | null;
  /** The present month of the store. */
  readonly lastMonth: number;
}

/** Reads the state of the figures. Orders are counted before the customers who placed them. */
export async function readGrowthState(
  queryable: Queryable,
  now: Temporal.Instant,
): Promise<GrowthState & { timeZone: string }> {
  const [sales, growth, program] = await Promise.all([
    selectSalesProgress(queryable),
    selectGrowthProgress(queryable),
    readProgram(queryable),
  ]);
  const { timeZone } = program.store;
  const isCounted = sales.countedAt !== null && growth.timeZone === timeZone;
  return { countedAt: isCounted ? growth.countedAt : null, lastMonth: monthIndex(now, timeZone), timeZone };
}
