import { addDays } from "../time/store-time.ts";
import { type Program, STAND_IN_VERSION } from "./program.ts";
import { shortensExpiration } from "./program-merge.ts";

/**
 * Returns the time from which the `shortening_days` of a new program count (program.md 5): its own, if it may bring dates of points forward, or that
 * of an earlier one. Points that were promised a date by then keep it, also if there are fewer days now; then the time is set so that the days end as
 * they did.
 */
export function shortenedAtOf(before: Program, after: Program, now: Temporal.Instant): Temporal.Instant | null {
  const isOtherZone = before.store.timeZone !== after.store.timeZone && before.version !== STAND_IN_VERSION;
  const isZoneShorter = isOtherZone && after.expiration.delayMonths !== null; // its days, months and years begin at other times
  const isShorter = isZoneShorter || shortensExpiration(before.expiration, after.expiration);
  const { shortenedAt, shorteningDays } = before.expiration;
  if (shortenedAt === null) return isShorter ? now : null;
  if (!isShorter && shorteningDays === after.expiration.shorteningDays) return shortenedAt;
  const endsAt = addDays(shortenedAt, shorteningDays, before.store.timeZone);
  const kept = addDays(endsAt, -after.expiration.shorteningDays, after.store.timeZone);
  return isShorter && Temporal.Instant.compare(now, kept) > 0 ? now : kept;
}
