import type { ReadDeps } from "../../deps.ts";
import { type BenefitMonth, selectBenefitMonths } from "../../growth/benefit-queries.ts";
import { selectGrowthProgress } from "../../growth/growth-queries.ts";
import { readProgram } from "../../program/read-program.ts";
import { monthIndex, startOfMonthIndex } from "../../time/store-time.ts";

/** The present month and those before it. */
export const BENEFIT_MONTHS = 12;

export interface Benefits {
  readonly months: readonly BenefitMonth[];
  readonly firstMonth: number;
  readonly lastMonth: number;
  /** What a coupon gives for a point, in minor units. */
  readonly pointWorth: bigint;
  /** Null: being counted for the first time. */
  readonly countedAt: Temporal.Instant | null;
}

/** Reads the results of coupons and rewards of the last 12 months: one row per day and kind. */
export function readBenefits(deps: Pick<ReadDeps, "db" | "clock">): Promise<Benefits> {
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const { store, coupons } = await readProgram(tx);
    const { countedAt } = await selectGrowthProgress(tx);
    const lastMonth = monthIndex(now, store.timeZone);
    const firstMonth = lastMonth - BENEFIT_MONTHS + 1;
    const from = startOfMonthIndex(firstMonth, store.timeZone);
    const months = await selectBenefitMonths(tx, from, { now, timeZone: store.timeZone });
    return { months, firstMonth, lastMonth, pointWorth: coupons.pointWorth, countedAt };
  });
}
