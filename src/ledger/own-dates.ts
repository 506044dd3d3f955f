import { addMonths } from "../time/store-time.ts";
import { compareInstants } from "./compare-instants.ts";
import { type ExpiryRules, lotExpiry } from "./expiry.ts";

/** How far ahead points may have a date of their own. */
export const EXPIRES_AT_MAX_YEARS = 100;
/** No points were earned before. */
export const EARNED_AT_MIN: Temporal.Instant = Temporal.Instant.from("1970-01-01T00:00:00Z");

/** The dates that points bring along; null: as the program says. */
export interface OwnDates {
  readonly expiresAt: Temporal.Instant | null;
  readonly earnedAt: Temporal.Instant | null;
}

/** Why points cannot have the dates that they bring. */
export type OwnDateFault =
  /** `expiresAt` is not in the future. */
  | "expires_in_past"
  /** `expiresAt` is more than 100 years ahead. */
  | "expires_too_far"
  /** `earnedAt` is in the future. */
  | "earned_in_future"
  /** `earnedAt` lies before 1970. */
  | "earned_too_early"
  /** Without a date of their own, points earned then have expired by the program's settings. */
  | "earned_and_expired";

/**
 * Returns why points cannot have these dates now, null where they can. `rules`: the newest. Points earned long ago have expired only where
 * each allotment expires by itself: else their date counts from when they come.
 */
export function ownDatesFault(
  { expiresAt, earnedAt }: OwnDates,
  now: Temporal.Instant,
  rules: ExpiryRules,
): OwnDateFault | null {
  if (expiresAt !== null) {
    if (compareInstants(expiresAt, now) <= 0) return "expires_in_past";
    const last = addMonths(now, EXPIRES_AT_MAX_YEARS * 12, "UTC");
    if (compareInstants(expiresAt, last) > 0) return "expires_too_far";
  }
  if (earnedAt === null) return null;
  if (compareInstants(earnedAt, now) > 0) return "earned_in_future";
  if (compareInstants(earnedAt, EARNED_AT_MIN) < 0) return "earned_too_early";
  if (expiresAt !== null || rules.mode === "sliding") return null;
  const expiry = lotExpiry({ expiresAt, since: earnedAt }, null, rules);
  return expiry !== null && compareInstants(expiry, now) <= 0 ? "earned_and_expired" : null;
}
