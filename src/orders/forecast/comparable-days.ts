import { addDays } from "../../time/store-time.ts";

/** A period with which a campaign is compared: the same weekdays and hours, as late as possible but completely in the past. */
export interface ComparableDays {
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  /** The number of weeks by which it is earlier than the campaign's start. */
  readonly weeks: number;
  /** How many times longer the campaign is: 1, except for campaigns longer than two weeks. */
  readonly times: number;
}

const WEEK = 7;
/** A longer campaign is compared by its first two weeks. */
const DAYS_MAX = 14;

/** Returns the days to replay for a campaign (dashboard.md). A campaign that began weeks ago is compared with the days before it. */
export function comparableDays(
  campaign: { readonly startsAt: Temporal.Instant; readonly endsAt: Temporal.Instant },
  now: Temporal.Instant,
  timeZone: string,
): ComparableDays {
  const { startsAt, endsAt } = campaign;
  const longest = addDays(startsAt, DAYS_MAX, timeZone);
  const shownEnd = Temporal.Instant.compare(endsAt, longest) > 0 ? longest : endsAt;
  const before = Temporal.Instant.compare(startsAt, now) < 0 ? startsAt : now;
  const lateNanos = shownEnd.epochNanoseconds - before.epochNanoseconds;
  const weekNanos = BigInt(WEEK) * 86_400_000_000_000n;
  let weeks = Math.max(1, Number((lateNanos + weekNanos - 1n) / weekNanos));
  // A clock change may make a week an hour longer.
  while (Temporal.Instant.compare(addDays(shownEnd, -WEEK * weeks, timeZone), before) > 0) weeks++;
  const shown = Number(shownEnd.epochNanoseconds - startsAt.epochNanoseconds);
  return {
    start: addDays(startsAt, -WEEK * weeks, timeZone),
    end: addDays(shownEnd, -WEEK * weeks, timeZone),
    weeks,
    times: Number(endsAt.epochNanoseconds - startsAt.epochNanoseconds) / shown,
  };
}
