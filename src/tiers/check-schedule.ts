import type { Program } from "../program/program.ts";
import type { VersionStart } from "../program/program-queries.ts";
import { nextCheckAfter } from "./check-dates.ts";

/** A version's number and since when it is valid. */
export interface VersionSpan {
  readonly version: number;
  readonly validFrom: Temporal.Instant;
}

/** A version of the program and since when it is valid. */
export interface ProgramSpan {
  readonly program: Program;
  readonly validFrom: Temporal.Instant;
}

/**
 * From when which version holds, from `after` on, in the order of time: a version that was given a start in the past stands
 * before those that were made earlier and began later. `starts` are in the order in which the versions were made.
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
 * The first check after an instant (program.md 6). `spans` are the versions in their order, the first of them valid at
 * `after`: a version decides the checks from its own time on until the next version comes, so that a check that was missed is
 * the one that there would have been.
 */
export function firstCheckAfter(after: Temporal.Instant, spans: readonly ProgramSpan[]): DueCheck | null {
  const { compare } = Temporal.Instant;
  for (const [i, { program, validFrom }] of spans.entries()) {
    // A check at the very time from which a version is valid is that version's.
    const beginning = validFrom.subtract({ nanoseconds: 1 });
    const from = compare(beginning, after) > 0 ? beginning : after;
    const at = nextCheckAfter(from, program.tiers, program.store.timeZone);
    const end = spans[i + 1]?.validFrom;
    if (end === undefined || compare(at, end) < 0) return { at, programVersion: program.version };
  }
  return null;
}
