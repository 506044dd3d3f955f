import { compareInstants } from "../compare-instants.ts";
import { type ExpiryRules, lotExpiry } from "../expiry/expiry.ts";
import type { Lot } from "../lots/lots.ts";

/** What tells which date a lot had at a moment. */
export interface PastDates {
  /** When the customer's holds ended, at any time. */
  readonly holdEnds: readonly Temporal.Instant[];
  /** The own date that each allotment gave its lot, by version; absent: its points had come back, or came with a merge. */
  readonly given: ReadonlyMap<bigint, Temporal.Instant | null>;
  readonly activeAt: Temporal.Instant | null;
}

const QUARTER_NANOS = 15n * 60n * 1_000_000_000n;

/**
 * Returns the lots of a moment with the dates that they had then. The end of a hold gives the points that it kept beyond their date another one, days
 * later (program.md 3); before, they had that of their allotment. Where a hold had ended in between too, the lot stays as it is: its date of then is not
 * stored.
 */
export function datesBefore(
  lots: readonly Lot[],
  { holdEnds, given, activeAt }: PastDates,
  rules: ExpiryRules,
  at: Temporal.Instant,
): readonly Lot[] {
  const dated = lots.map((lot) => {
    const own = given.get(lot.version);
    const ends = holdEnds.filter((end) => mayHaveDated(end, lot));
    if (own === undefined || ends.length === 0 || ends.some((end) => compareInstants(end, at) <= 0)) return lot;
    const before = { ...lot, expiresAt: own };
    const expiry = lotExpiry(before, activeAt, rules);
    const mayHaveEnded = (end: Temporal.Instant) =>
      expiry !== null && compareInstants(expiry, end) <= 0 && compareInstants(end, at) <= 0;
    return holdEnds.some(mayHaveEnded) ? lot : before;
  });
  return united(dated);
}

/** Whether the end of a hold may have given a lot its date: that is whole days later, in the store's zone, to the microsecond. */
function mayHaveDated(end: Temporal.Instant, { expiresAt }: Lot): boolean {
  if (expiresAt === null) return false;
  const nanos = expiresAt.epochNanoseconds - end.epochNanoseconds;
  return nanos > 0n && nanos % QUARTER_NANOS === 0n;
}

/** Unites what was read of a lot under the two dates that it had. */
function united(lots: readonly Lot[]): readonly Lot[] {
  const found = new Map<string, Lot>();
  for (const lot of lots) {
    const name = `${lot.version}/${lot.part}/${lot.expiresAt?.epochNanoseconds}`;
    found.set(name, { ...lot, remaining: lot.remaining + (found.get(name)?.remaining ?? 0n) });
  }
  return [...found.values()];
}
