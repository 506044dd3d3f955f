import type { Tx } from "../db/pool.ts";
import { monthsUntil } from "../liability/month.ts";
import {
  type AggregateDeps,
  type AggregateOptions,
  type AggregateStep,
  aggregateSteps,
} from "../metrics/aggregate-steps.ts";
import { selectRange } from "../metrics/range-queries.ts";
import { endOfInstant } from "../metrics/rollup.ts";
import { monthIndex } from "../time/store-time.ts";
import { beginGrowth } from "./begin-growth.ts";
import { addRangeBenefits } from "./benefit-queries.ts";
import { updateGrowthProgress } from "./growth-queries.ts";
import { addRangePoints } from "./joined-points-queries.ts";

const SIZE = { quiet: 20_000, busy: 500 };
const STEPS = 20;

/**
 * Adds newly settled allotments to the points by the month in which their customer joined, and counts the coupons and rewards among them; returns
 * whether the settled mark was reached. The month of joining never changes, so an allotment that is counted never has to be counted again.
 */
export function aggregateCustomerPoints(deps: AggregateDeps, options: AggregateOptions = {}): Promise<boolean> {
  return aggregateSteps(deps, { size: SIZE, steps: STEPS, ...options }, aggregateStep);
}

async function aggregateStep(tx: Tx, { settledAt, size, now }: AggregateStep): Promise<boolean> {
  const progress = await beginGrowth(tx);
  const range = await selectRange(tx, progress, { settledAt, size });
  if (range === null) {
    const isBehind = progress.allottedAt === null || Temporal.Instant.compare(progress.allottedAt, settledAt) < 0;
    if (isBehind) await updateGrowthProgress(tx, { ...progress, ...endOfInstant(settledAt) });
    return true;
  }
  const last = Temporal.Instant.compare(settledAt, now) > 0 ? settledAt : now;
  await addRangePoints(tx, range, monthsUntil(monthIndex(last, progress.timeZone), progress.timeZone));
  await addRangeBenefits(tx, range);
  await updateGrowthProgress(tx, { ...progress, ...range.to });
  return range.isLast;
}
