import { addMonths, sweepAtOrAfter, sweepAtOrBefore } from "../shop/store-time.ts";
import { type ExpiryRules, expiryFrom, shorteningEnd } from "./expiry.ts";

/** Where the sweep looks for lots without a date of their own that may be due: by a day some are not, and the ledger decides. */
export type UndatedSearch =
  /** Balances whose expiry counts from this UTC day (`YYYY-MM-DD`) or an earlier one; the index may say an earlier one than counts. */
  | { readonly by: "day"; readonly until: string }
  /** Lots that stand since this instant or an earlier one. */
  | { readonly by: "since"; readonly until: Temporal.Instant };

export interface DueSearch {
  /** Lots with a date of their own at or before it are due, and no others. */
  readonly datedUntil: Temporal.Instant;
  /** null: none of them can be due. */
  readonly undated: UndatedSearch | null;
}

/** Clipped months move a date by up to 3 days, the store's zone and its clock changes by less than 2 more. */
const SLACK_MS = 5 * 86_400_000;

/** What may be due at `now` (program.md 5). */
export function dueSearch(rules: ExpiryRules, now: Temporal.Instant): DueSearch {
  const datedUntil = sweepAtOrBefore(now, rules.sweep, rules.timeZone);
  const end = shorteningEnd(rules);
  if (rules.delayMonths === null || (end !== null && Temporal.Instant.compare(end, datedUntil) > 0)) {
    return { datedUntil, undated: null };
  }
  const until = lastDueStart(rules, rules.delayMonths, datedUntil);
  if (rules.mode === "per_allotment") return { datedUntil, undated: { by: "since", until } };
  return { datedUntil, undated: { by: "day", until: utcDay(until) } };
}

/** The last start, to the millisecond, whose points have expired with a sweep: dates fall on whole seconds. */
function lastDueStart(rules: ExpiryRules, delayMonths: number, sweepAt: Temporal.Instant): Temporal.Instant {
  const guessMs = addMonths(sweepAt, -delayMonths, rules.timeZone).epochMilliseconds;
  let dueMs = guessMs - SLACK_MS;
  let keptMs = guessMs + SLACK_MS;
  while (keptMs - dueMs > 1) {
    const middleMs = Math.floor((dueMs + keptMs) / 2);
    const expiry = expiryFrom(Temporal.Instant.fromEpochMilliseconds(middleMs), delayMonths, rules);
    if (Temporal.Instant.compare(expiry, sweepAt) <= 0) dueMs = middleMs;
    else keptMs = middleMs;
  }
  return Temporal.Instant.fromEpochMilliseconds(dueMs);
}

/** The firsts of the indexes that a search runs over; null: there is none. */
export interface FirstDates {
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant | null;
  /** `YYYY-MM-DD`, UTC; the days may lag behind (`advanceExpiryDays`). */
  readonly expiryFromOn: string | null;
}

/**
 * A sweep before which nothing is due; where no day lags behind, at most a day before the first at which something is. Null: nothing
 * ever is.
 */
export function earliestSweep(rules: ExpiryRules, first: FirstDates): Temporal.Instant | null {
  const own = first.expiresAt === null ? null : sweepAtOrAfter(first.expiresAt, rules.sweep, rules.timeZone);
  const dates = [own, earliestComputed(rules, first)].filter((date) => date !== null);
  return dates.sort(Temporal.Instant.compare)[0] ?? null;
}

function earliestComputed(rules: ExpiryRules, first: FirstDates): Temporal.Instant | null {
  if (rules.delayMonths === null) return null;
  const day = first.expiryFromOn === null ? null : Temporal.Instant.from(`${first.expiryFromOn}T00:00:00Z`);
  const start = rules.mode === "sliding" ? day : first.since;
  return start === null ? null : expiryFrom(start, rules.delayMonths, rules);
}

function utcDay(instant: Temporal.Instant): string {
  return instant.toString().slice(0, "YYYY-MM-DD".length);
}
