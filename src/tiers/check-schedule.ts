import type { Program } from "../shop/program.ts";
import { nextCheckAfter } from "./check-dates.ts";

/** A version of the program and since when it is valid. */
export interface ProgramSpan {
  readonly program: Program;
  readonly validFrom: Temporal.Instant;
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
