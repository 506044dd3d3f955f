import type { Draw, Lot } from "./lots.ts";
import type { Posting } from "./posting.ts";

/** What the allotment says of the lots that it opens. */
interface Opening {
  readonly version: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly extends: boolean;
  /** The own date of points that come back (program.md 3). */
  readonly dateOf: (lot: Lot) => Temporal.Instant | null;
}

/** The lots of a positive allotment: one, or for points that come back one for each lot they were drawn from. */
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
  return [
    { version, part: 0, remaining: value, expiresAt, since: opening.allottedAt, extends: opening.extends, origin },
  ];
}
