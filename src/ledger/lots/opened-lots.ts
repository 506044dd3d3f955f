import { compareInstants } from "../compare-instants.ts";
import type { ExpiryRules } from "../expiry/expiry.ts";
import type { Posting } from "../posting.ts";
import type { Draw, Lot } from "./lots.ts";

/** The properties that an allotment gives to the lots that it opens. */
interface Opening {
  readonly version: bigint;
  /** The start of the lots' computed date: see `startOf`. */
  readonly since: Temporal.Instant;
  readonly extends: boolean;
  /** The own date of returned points (program.md 3). */
  readonly dateOf: (lot: Lot) => Temporal.Instant | null;
}

/** Returns the lots of a positive allotment: one, or for returned points one for each lot from which they were drawn. */
export function openedLots(posting: Posting, value: bigint, slices: readonly Draw[], opening: Opening): Lot[] {
  if (value <= 0n) return [];
  const { version } = opening;
  if (posting.change.kind === "give_back" || posting.change.kind === "carry") {
    return slices.map(({ lot, points }, part) => ({
      ...lot,
      version,
      part,
      remaining: points,
      expiresAt: opening.dateOf(lot),
    }));
  }
  const { expiresAt, origin } = posting;
  return [{ version, part: 0, remaining: value, expiresAt, since: opening.since, extends: opening.extends, origin }];
}

/**
 * Returns the time from which the computed date of an allotment's lot counts: when it was earned, if each allotment expires by itself. Otherwise
 * when it was allotted, because the customer's activity in another app is not known (program.md 5).
 */
export function startOf(
  { earnedAt }: Pick<Posting, "earnedAt">,
  allottedAt: Temporal.Instant,
  { mode }: Pick<ExpiryRules, "mode">,
): Temporal.Instant {
  if (earnedAt === undefined || earnedAt === null || mode === "sliding") return allottedAt;
  return compareInstants(earnedAt, allottedAt) < 0 ? earnedAt : allottedAt;
}
