import type { Clock } from "./deps.ts";

/** The machine's clock, in whole microseconds: what PostgreSQL keeps, so that a time read back is the time written. */
export const systemClock: Clock = {
  now() {
    const { epochNanoseconds } = Temporal.Now.instant();
    return Temporal.Instant.fromEpochNanoseconds(epochNanoseconds - (epochNanoseconds % 1_000n));
  },
};
