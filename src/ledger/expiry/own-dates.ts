import { addMonths } from "../../time/store-time.ts";
import { compareInstants } from "../compare-instants.ts";
import { type ExpiryRules, lotExpiry } from "./expiry.ts";

/** The maximum number of years that an own date may be ahead. */
const EXPIRES_AT_MAX_YEARS = 100;
/** The earliest time at which points may have been earned. */
export const EARNED_AT_MIN: Temporal.Instant = Temporal.Instant.from("1970-01-01T00:00:00Z");

/** The own dates of points; null: the program's settings apply. */
export interface OwnDates {
  readonly expiresAt: Temporal.Instant | null;
  readonly earnedAt: Temporal.Instant | null;
}

/** Why points cannot have these dates. */
export type OwnDateFault =
  /** `expiresAt` is not in the future. */
  | "expires_in_past"
  /** `expiresAt` is more than 100 years ahead. */
  | "expires_too_far"
  /** `earnedAt` is in the future. */
  | "earned_in_future"
  /** `earnedAt` lies before 1970. */
  | "earned_too_early"
  /** Points without an own date that were earned then have already expired by the program's settings. */
  | "earned_and_expired";

/**
 * Returns why points cannot have these dates now; null if they can. `rules`: the newest ones. Points earned long ago count as expired only if
 * each allotment expires by itself; otherwise their date counts from when they are posted.
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
