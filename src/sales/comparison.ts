import { slotOf } from "./sale-sums.ts";

const SLOT_MINUTES = 15;
const DAYS_MAX = 400;
const WEEK = 7;

/** A period in whole slots, and an earlier period with the same weekdays and times. */
export interface Comparison {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly before: { readonly from: Temporal.Instant; readonly to: Temporal.Instant };
  /** How many weeks earlier the second period is; enough that the two do not overlap. */
  readonly weeks: number;
}

/**
 * The period with which a run is compared: the part of the run up to now, on the same weekdays of the store, moved back by the fewest whole
 * weeks with which it does not overlap the run. Null where the run has not begun, has no start, or lasts more than a year.
 */
export function comparisonOf(
  { startsAt, endsAt }: { readonly startsAt: Temporal.Instant | null; readonly endsAt: Temporal.Instant | null },
  now: Temporal.Instant,
  timeZone: string,
): Comparison | null {
  if (startsAt === null || Temporal.Instant.compare(startsAt, now) >= 0) return null;
  const hasEnded = endsAt !== null && Temporal.Instant.compare(endsAt, now) <= 0;
  const until = hasEnded ? endsAt : now;
  const start = startsAt.toZonedDateTimeISO(timeZone);
  const days = start.until((endsAt ?? now).toZonedDateTimeISO(timeZone), { largestUnit: "days" });
  if (days.days > DAYS_MAX) return null;
  const weeks = Math.max(1, Math.ceil(days.total({ unit: "days", relativeTo: start }) / WEEK));
  const [from, to] = [slotOf(startsAt), slotEnd(until)];
  const earlier = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).subtract({ weeks }).toInstant();
  return { from, to, before: { from: earlier(from), to: earlier(to) }, weeks };
}

function slotEnd(at: Temporal.Instant): Temporal.Instant {
  const start = slotOf(at);
  return start.equals(at) ? at : start.add({ minutes: SLOT_MINUTES });
}
