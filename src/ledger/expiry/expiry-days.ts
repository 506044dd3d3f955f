/** Points of a balance that expire on one day. */
export interface ExpiryDay {
  /** Null: never. */
  readonly at: Temporal.Instant | null;
  readonly points: bigint;
}

/** A lot's points and when they expire; null: never. */
interface ExpiringLot {
  readonly goesAt: Temporal.Instant | null;
  readonly remaining: bigint;
}

/** The lots of a balance that were read: the first of each kind, soonest first. */
interface LotsRead {
  /** With an own date. */
  readonly dated: readonly ExpiringLot[];
  readonly datedMore: boolean;
  readonly undated: readonly ExpiringLot[];
  readonly undatedMore: boolean;
  /** When the last of all lots without an own date expires; null: never. */
  readonly lastUndatedGoesAt: Temporal.Instant | null;
  /** The points of all lots. */
  readonly points: bigint;
}

/** Orders times of expiry; null, never, comes last. */
export function compareExpiries(a: Temporal.Instant | null, b: Temporal.Instant | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Temporal.Instant.compare(a, b);
}

/** Sums lots by the day on which they expire, soonest first. */
export function expiryDaysOf(lots: readonly ExpiringLot[]): ExpiryDay[] {
  const sorted = lots.toSorted((a, b) => compareExpiries(a.goesAt, b.goesAt));
  const byDay = Map.groupBy(sorted, ({ goesAt }) => goesAt?.epochNanoseconds ?? null);
  return [...byDay.values()].map((ofDay) => ({
    at: ofDay[0]?.goesAt ?? null,
    points: ofDay.reduce((total, { remaining }) => total + remaining, 0n),
  }));
}

/**
 * Returns the days whose points are completely known, soonest first. Lots that were not read expire with the last one of their kind that was, or later.
 * Without an own date they mostly expire with it, all of them, because activity dates a balance as a whole: their points are then the rest.
 */
export function knownExpiryDays({ dated, datedMore, undated, undatedMore, ...all }: LotsRead): ExpiryDay[] {
  const lots = [...dated, ...undated];
  const [lastDated, lastUndated] = [dated.at(-1)?.goesAt ?? null, undated.at(-1)?.goesAt ?? null];
  if (undatedMore && !datedMore && compareExpiries(lastUndated, all.lastUndatedGoesAt) === 0) {
    const remaining = lots.reduce((rest, lot) => rest - lot.remaining, all.points);
    return expiryDaysOf([...lots, { goesAt: lastUndated, remaining }]);
  }
  const cuts = [...(datedMore ? [lastDated] : []), ...(undatedMore ? [lastUndated] : [])];
  return expiryDaysOf(lots).filter(({ at }) => cuts.every((cut) => compareExpiries(at, cut) < 0));
}
