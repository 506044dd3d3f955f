import type { Program } from "../program/program.ts";
import { addMonths, monthIndex, startOfMonthIndex } from "../time/store-time.ts";

export type CheckRules = Pick<Program["tiers"], "periodMonths" | "startMonth" | "windowMonths">;

/** The window of a check: spend from `start` (included) to `end` (excluded, the check's own time). */
export interface SpendWindow {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
}

/** Returns the first check strictly after an instant: midnight on the 1st, every `periodMonths` from `startMonth` on (program.md 6). */
export function nextCheckAfter(instant: Temporal.Instant, rules: CheckRules, timeZone: string): Temporal.Instant {
  return startOfMonthIndex(nextCheckMonth(monthIndex(instant, timeZone), rules), timeZone);
}

/** Returns the checks after one instant, up to and including another, in order: those that were missed meanwhile (program.md 6). */
export function checksBetween(
  span: { readonly after: Temporal.Instant; readonly upTo: Temporal.Instant },
  rules: CheckRules,
  timeZone: string,
): Temporal.Instant[] {
  const checks: Temporal.Instant[] = [];
  let check = nextCheckAfter(span.after, rules, timeZone);
  while (Temporal.Instant.compare(check, span.upTo) <= 0) {
    checks.push(check);
    check = nextCheckAfter(check, rules, timeZone);
  }
  return checks;
}

/** Returns the `windowMonths` before a check. */
export function windowOf(check: Temporal.Instant, rules: CheckRules, timeZone: string): SpendWindow {
  return { start: startOfMonthIndex(monthIndex(check, timeZone) - rules.windowMonths, timeZone), end: check };
}

/**
 * Returns the month of the first check after a month, both as numbers of `monthIndex`. The period divides 12, so each year's checks are in
 * the same months.
 */
export function nextCheckMonth(index: number, { periodMonths, startMonth }: CheckRules): number {
  const sinceCheck = (((index - (startMonth - 1)) % periodMonths) + periodMonths) % periodMonths;
  return index + periodMonths - sinceCheck;
}

/** Returns the months that end at an instant: the window of a change of the program that applies at once, between two checks. */
export function trailingWindow(end: Temporal.Instant, months: number, timeZone: string): SpendWindow {
  return { start: addMonths(end, -months, timeZone), end };
}
