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
 * stored. A customer may have thousands of both, so no lot is compared with each end.
 */
export function datesBefore(
  lots: readonly Lot[],
  { holdEnds, given, activeAt }: PastDates,
  rules: ExpiryRules,
  at: Temporal.Instant,
): readonly Lot[] {
  const firstEnds = firstEndsOf(holdEnds);
  const lastEnd = lastBy(holdEnds, at);
  const dated = lots.map((lot) => {
    const own = given.get(lot.version);
    const firstEnd = firstDating(lot, firstEnds);
    if (own === undefined || firstEnd === undefined || compareInstants(firstEnd, at) <= 0) return lot;
    const before = { ...lot, expiresAt: own };
    const expiry = lotExpiry(before, activeAt, rules);
    const mayHaveEnded = expiry !== null && lastEnd !== undefined && compareInstants(expiry, lastEnd) <= 0;
    return mayHaveEnded ? lot : before;
  });
  return united(dated);
}

/**
 * Returns the first end of each place within a quarter of an hour. An end may have given a lot its date if that is whole days later, in the store's
 * zone, to the microsecond: then both have the same place.
 */
function firstEndsOf(holdEnds: readonly Temporal.Instant[]): ReadonlyMap<bigint, Temporal.Instant> {
  const first = new Map<bigint, Temporal.Instant>();
  for (const end of holdEnds) {
    const known = first.get(placeOf(end));
    if (known === undefined || compareInstants(end, known) < 0) first.set(placeOf(end), end);
  }
  return first;
}

function placeOf({ epochNanoseconds }: Temporal.Instant): bigint {
  const place = epochNanoseconds % QUARTER_NANOS;
  return place < 0n ? place + QUARTER_NANOS : place;
}

/** Returns the first end that may have given a lot its date; undefined: none. */
function firstDating(
  { expiresAt }: Lot,
  firstEnds: ReadonlyMap<bigint, Temporal.Instant>,
): Temporal.Instant | undefined {
  const end = expiresAt === null ? undefined : firstEnds.get(placeOf(expiresAt));
  return end === undefined || expiresAt === null || compareInstants(end, expiresAt) >= 0 ? undefined : end;
}

/** Returns the last end by a moment; undefined: none. */
function lastBy(holdEnds: readonly Temporal.Instant[], at: Temporal.Instant): Temporal.Instant | undefined {
  let last: Temporal.Instant | undefined;
  for (const end of holdEnds) {
    if (compareInstants(end, at) <= 0 && (last === undefined || compareInstants(end, last) > 0)) last = end;
  }
  return last;
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
