import { addMonths, sweepAtOrAfter, sweepAtOrBefore } from "../shop/store-time.ts";
import { type ExpiryRules, shorteningEnd } from "./expiry.ts";

/** Where the sweep looks for lots without a date of their own that may be due. Generous: the ledger decides each balance. */
export type UndatedSearch =
  /** Balances whose expiry counts from this UTC day (`YYYY-MM-DD`) or an earlier one. */
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
const SLACK = { hours: 24 * 5 } as const;

/** What may be due at `now` (program.md 5). */
export function dueSearch(rules: ExpiryRules, now: Temporal.Instant): DueSearch {
  const datedUntil = sweepAtOrBefore(now, rules.sweep, rules.timeZone);
  const end = shorteningEnd(rules);
  if (rules.delayMonths === null || (end !== null && Temporal.Instant.compare(end, datedUntil) > 0)) {
    return { datedUntil, undated: null };
  }
  const until = addMonths(datedUntil, -rules.delayMonths, rules.timeZone).add(SLACK);
  if (rules.mode === "per_allotment") return { datedUntil, undated: { by: "since", until } };
  return { datedUntil, undated: { by: "day", until: utcDay(until) } };
}

/** The firsts of the indexes that a search runs over; null: there is none. */
export interface FirstDates {
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant | null;
  /** `YYYY-MM-DD`, UTC. */
  readonly expiryFromOn: string | null;
}

/** A sweep before which nothing is due, not long before the first at which something is; null: nothing ever is. */
export function earliestSweep(rules: ExpiryRules, first: FirstDates): Temporal.Instant | null {
  const dates = [first.expiresAt, earliestComputed(rules, first)].filter((date) => date !== null);
  const [soonest] = dates.sort(Temporal.Instant.compare);
  return soonest === undefined ? null : sweepAtOrAfter(soonest, rules.sweep, rules.timeZone);
}

function earliestComputed(rules: ExpiryRules, first: FirstDates): Temporal.Instant | null {
  if (rules.delayMonths === null) return null;
  const day = first.expiryFromOn === null ? null : Temporal.Instant.from(`${first.expiryFromOn}T00:00:00Z`);
  const start = rules.mode === "sliding" ? day : first.since;
  if (start === null) return null;
  const computed = addMonths(start, rules.delayMonths, rules.timeZone).subtract(SLACK);
  const end = shorteningEnd(rules);
  return end !== null && Temporal.Instant.compare(end, computed) > 0 ? end : computed;
}

function utcDay(instant: Temporal.Instant): string {
  return instant.toString().slice(0, "YYYY-MM-DD".length);
}
