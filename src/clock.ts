import type { Clock } from "./deps.ts";

/** The machine's clock in whole microseconds, the precision of PostgreSQL, so that a time is read back as it was written. */
export const systemClock: Clock = {
  now() {
    const { epochNanoseconds } = Temporal.Now.instant();
    return Temporal.Instant.fromEpochNanoseconds(epochNanoseconds - (epochNanoseconds % 1_000n));
  },
};
