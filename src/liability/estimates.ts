import type { Expectation } from "./revenue.ts";

/** What a manager expects from a month on: of all months of issue, or of one. */
export interface Estimate {
  readonly month: number;
  /** 0: of all months of issue that have none of their own. */
  readonly cohort: number;
  readonly redemptionBps: number;
  /** In millionths of a minor unit; null where it is of one month of issue. */
  readonly pointPriceMillionths: bigint | null;
  readonly setAt: Temporal.Instant;
  readonly setBy: string;
}

/** Months of issue without an estimate of their own. */
export const ALL_COHORTS = 0;

/**
 * What is expected of a month of issue, in a month: the latest estimate of its own, else the latest of all. The first one of all holds
 * before its month, too. Null: none was ever made.
 */
export function expectationOf(estimates: readonly Estimate[], cohort: number, month: number): Expectation | null {
  const general = latest(estimates, ALL_COHORTS, month) ?? earliest(estimates);
  if (general === null) return null;
  const redemptionBps = (latest(estimates, cohort, month) ?? general).redemptionBps;
  return { redemptionBps, pointPriceMillionths: general.pointPriceMillionths ?? 0n };
}

function latest(estimates: readonly Estimate[], cohort: number, month: number): Estimate | null {
  let found: Estimate | null = null;
  for (const each of estimates) {
    if (each.cohort !== cohort || each.month > month) continue;
    if (found === null || each.month > found.month) found = each;
  }
  return found;
}

function earliest(estimates: readonly Estimate[]): Estimate | null {
  let found: Estimate | null = null;
  for (const each of estimates) {
    if (each.cohort === ALL_COHORTS && (found === null || each.month < found.month)) found = each;
  }
  return found;
}
