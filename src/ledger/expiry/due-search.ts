import { addMonths, sweepAtOrAfter, sweepAtOrBefore } from "../../time/store-time.ts";
import { compareInstants } from "../compare-instants.ts";
import { type ExpiryBounds, type ExpiryRules, expiryFrom, shorteningEnd } from "./expiry.ts";

/** Where the sweep looks for possibly due lots without an own date. */
export interface UndatedSearch {
  /** By lots, or by the UTC days of balances. A day may be earlier than the real one, so some balances that are found are not due. */
  readonly by: "since" | "day";
  /** The latest start from which the expiry of due points counts. */
  readonly lastStart: Temporal.Instant;
}

export interface DueSearch {
  /** Lots with an own date at or before this instant are due, others are not. */
  readonly datedUntil: Temporal.Instant;
  /** null: no lot without an own date can be due. */
  readonly undated: UndatedSearch | null;
}

/** Clipped months move a date by up to 3 days, the store's zone and its clock changes by less than 2 more. */
const SLACK_MS = 5 * 86_400_000;

/** Returns the search for points that may be due at `now` (program.md 5). */
export function dueSearch(rules: ExpiryRules, now: Temporal.Instant): DueSearch {
  const datedUntil = sweepAtOrBefore(now, rules.sweep, rules.timeZone);
  const end = shorteningEnd(rules);
  if (rules.delayMonths === null || (end !== null && Temporal.Instant.compare(end, datedUntil) > 0)) {
    return { datedUntil, undated: null };
  }
  const lastStart = lastDueStart(rules, rules.delayMonths, datedUntil);
  return { datedUntil, undated: { by: rules.mode === "per_allotment" ? "since" : "day", lastStart } };
}

/** Whether points of a balance are due according to its row. Same result as `balanceExpiry`, but computes no date for each candidate. */
export function isDue({ datedUntil, undated }: DueSearch, bounds: ExpiryBounds): boolean {
  const { activeAt, oldestSince, soonestExpiresAt } = bounds;
  if (soonestExpiresAt !== null && compareInstants(soonestExpiresAt, datedUntil) <= 0) return true;
  if (undated === null || oldestSince === null || compareInstants(oldestSince, undated.lastStart) > 0) return false;
  return undated.by === "since" || activeAt === null || compareInstants(activeAt, undated.lastStart) <= 0;
}

/** Returns the last start, to the microsecond, whose points have expired with the sweep at `sweepAt`. */
function lastDueStart(rules: ExpiryRules, delayMonths: number, sweepAt: Temporal.Instant): Temporal.Instant {
  const isDueFrom = (start: Temporal.Instant) => compareInstants(expiryFrom(start, delayMonths, rules), sweepAt) <= 0;
  const guessMs = addMonths(sweepAt, -delayMonths, rules.timeZone).epochMilliseconds;
  let dueMs = guessMs - SLACK_MS;
  let keptMs = guessMs + SLACK_MS;
  while (keptMs - dueMs > 1) {
    const middleMs = Math.floor((dueMs + keptMs) / 2);
    if (isDueFrom(Temporal.Instant.fromEpochMilliseconds(middleMs))) dueMs = middleMs;
    else keptMs = middleMs;
  }
  // Dates are whole seconds, so the rest of the millisecond is due completely or not at all.
  const first = Temporal.Instant.fromEpochMilliseconds(dueMs);
  const last = first.add({ microseconds: 999 });
  return isDueFrom(last) ? last : first;
}

/** The first entries of the indexes that a search uses; null: the index is empty. */
export interface FirstDates {
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant | null;
  /** `YYYY-MM-DD`, UTC; the day may lag (`advanceExpiryDays`). */
  readonly expiryFromOn: string | null;
}

/**
 * Returns a sweep before which nothing is due. If no day lags, it is at most a day before the first sweep at which something is due. Null:
 * nothing will ever be due.
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
