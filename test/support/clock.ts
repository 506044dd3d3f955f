import type { Db } from "../../src/db/pool.ts";
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

/** Makes the present of a test's clock, the first time, one that the database knows as the sandbox's, whatever the date of the machine. */
export async function knowPresent({ owner, clock }: { readonly owner: Db; readonly clock: Clock }): Promise<void> {
  await owner.execute("insert into sandbox_clock (now_at) values ($1) on conflict (one) do nothing", [clock.now()]);
}
