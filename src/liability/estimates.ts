import type { Expectation } from "./revenue.ts";

/** What a manager expects from one month on, for all months of issue or for one. */
export interface Estimate {
  readonly month: number;
  /** 0: for all months of issue that have no estimate of their own. */
  readonly cohort: number;
  readonly redemptionBps: number;
  /** In millionths of a minor unit; null in an estimate for one month of issue. */
  readonly pointPriceMillionths: bigint | null;
  readonly setAt: Temporal.Instant;
  readonly setBy: string;
}

/** The `cohort` of an estimate for all months of issue that have none of their own. */
export const ALL_COHORTS = 0;

/**
 * The expectation for a month of issue in a given month: its own latest estimate, else the latest for all months of issue. The first
 * estimate for all also applies to the months before it. Null where no estimate was ever made.
 */
export function expectationOf(estimates: readonly Estimate[], cohort: number, month: number): Expectation | null {
  const general = latest(estimates, ALL_COHORTS, month) ?? earliest(estimates);
  if (general === null) return null;
  const redemptionBps = (latest(estimates, cohort, month) ?? general).redemptionBps;
  return { redemptionBps, pointPriceMillionths: general.pointPriceMillionths ?? 0n };
}

/**
 * The same for a closed month, which no later estimate changes. Months that were closed before the first estimate was made have none; a month
 * that was closed by the first estimate of a later one has deferrals.
 */
export function expectationOfClosed(
  estimates: readonly Estimate[],
  month: number,
  { hasDeferrals }: { readonly hasDeferrals: boolean },
): Expectation | null {
  const isKnown = hasDeferrals || latest(estimates, ALL_COHORTS, month) !== null;
  return isKnown ? expectationOf(estimates, ALL_COHORTS, month) : null;
}

/** The first estimate for all months of issue where it is of a later month: it applies to `month` too, as long as that is open. Else null. */
export function estimateBackTo(estimates: readonly Estimate[], month: number): Estimate | null {
  const first = earliest(estimates);
  return first !== null && first.month > month ? { ...first, month } : null;
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
