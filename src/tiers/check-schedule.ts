import type { Program } from "../program/program.ts";
import type { VersionStart } from "../program/program-queries.ts";
import { monthIndex, startOfMonthIndex } from "../time/store-time.ts";
import { nextCheckMonth } from "./check-dates.ts";

/** A version's number and the instant from which it is valid. */
export interface VersionSpan {
  readonly version: number;
  readonly validFrom: Temporal.Instant;
}

/** A version of the program and the instant from which it is valid. */
export interface ProgramSpan {
  readonly program: Program;
  readonly validFrom: Temporal.Instant;
}

/**
 * Returns from when each version is valid, from `after` on, in the order of time: a version with a start in the past replaces those that
 * were made earlier and start later. `starts` are in the order in which the versions were made.
 */
export function versionsFrom(starts: readonly VersionStart[], after: Temporal.Instant): readonly VersionSpan[] {
  const { compare } = Temporal.Instant;
  const spans: VersionSpan[] = [];
  for (const { version, validFrom } of starts.toReversed()) {
    const from = validFrom === null || compare(validFrom, after) < 0 ? after : validFrom;
    const next = spans[0];
    if (next === undefined || compare(from, next.validFrom) < 0) spans.unshift({ version, validFrom: from });
    if (compare(from, after) === 0) break;
  }
  return spans;
}

export interface DueCheck {
  readonly at: Temporal.Instant;
  /** The version that is valid at that time: its window and rules are the check's. */
  readonly programVersion: number;
}

/**
 * Returns the first check after an instant (program.md 6). `spans` are the versions in their order, the first of them valid at `after`. A
 * version decides the checks from its own time until the next version, so that a missed check is the same as it would have been in time. Each
 * month has its check once, also if a version has another time zone: a month that had begun in the new zone only is made up for, and one that
 * was checked does not begin again. `lastMonth`: the month of the last check, in the zone of its version; null: there was none.
 */
export function firstCheckAfter(
  after: Temporal.Instant,
  spans: readonly ProgramSpan[],
  lastMonth: number | null,
): DueCheck | null {
  const { compare } = Temporal.Instant;
  for (const [i, { program, validFrom }] of spans.entries()) {
    const { tiers, store } = program;
    // A check at exactly the time from which a version is valid belongs to that version.
    const beginning = validFrom.subtract({ nanoseconds: 1 });
    const from = compare(beginning, after) > 0 ? beginning : after;
    // A month that has begun in only one of the two zones is not over: whether it has had its check, `lastMonth` says.
    const zones = [(spans[i - 1]?.program ?? program).store.timeZone, store.timeZone];
    const month = Math.min(...zones.map((zone) => monthIndex(from, zone)));
    const checkMonth = nextCheckMonth(Math.max(month, lastMonth ?? month), tiers);
    const at = startOfMonthIndex(checkMonth, store.timeZone);
    const end = spans[i + 1]?.validFrom;
    if (end === undefined || compare(at, end) < 0) return { at, programVersion: program.version };
  }
  return null;
}
