import type { Clock } from "../../src/deps.ts";

/** A clock that stands still until the test sets it. */
export interface TestClock extends Clock {
  set(to: Temporal.Instant | string): void;
  advance(by: Temporal.DurationLike): void;
}

export function createTestClock(start = "2026-03-01T00:00:00Z"): TestClock {
  let now = Temporal.Instant.from(start);
  return {
    now: () => now,
    set(to) {
      now = Temporal.Instant.from(to);
    },
    advance(by) {
      now = now.add(by);
    },
  };
}
