/** Clocks of nodes differ by seconds; more than this, and one of them was wrong. */
export const CLOCK_SLACK: Temporal.DurationLike = { hours: 1 };

/** Whether an instant that was stored as a present time is so far after `now` that the clock which said it was ahead, and has been corrected since. */
export function isAhead(at: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(at, now.add(CLOCK_SLACK)) > 0;
}
