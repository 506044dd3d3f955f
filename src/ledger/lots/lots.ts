import type { Origin } from "../../wire/allotment-choices.ts";
import { compareInstants } from "../compare-instants.ts";

/** The remaining points of a positive allotment, or of one part of returned points. */
export interface Lot {
  readonly version: bigint;
  readonly part: number;
  readonly remaining: bigint;
  /** Its own date; null: the date is computed from `since`. */
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant;
  readonly extends: boolean;
  readonly origin: Origin | null;
}

/** Points taken from a lot. It keeps the lot's properties, because the lot's row is removed when it is used up. */
export interface Draw {
  readonly lot: Lot;
  readonly points: bigint;
}

/** Compares lots of one kind by age: oldest first, then by version and part. */
export function compareAge(a: Lot, b: Lot): number {
  return compareInstants(a.since, b.since) || Number(a.version - b.version) || a.part - b.part;
}

/** Compares lots with an own date: by that date, then by age. */
export function compareDated(a: Lot, b: Lot): number {
  if (a.expiresAt === null || b.expiresAt === null) return 0;
  return compareInstants(a.expiresAt, b.expiresAt) || compareAge(a, b);
}

/**
 * Inserts items, in any order, into a sorted list, each at the place `least` or behind it, and behind its equals. New lots mostly go to the end, so
 * the search starts there; it passes each of the list's items once, however many are inserted.
 */
export function insertSorted<T>(
  items: T[],
  inserted: readonly T[],
  compare: (a: T, b: T) => number,
  least: number,
): void {
  let unmoved = items.length;
  for (const item of inserted) items.push(item); // the places are overwritten
  let to = items.length;
  for (const item of inserted.toSorted(compare).toReversed()) {
    for (; unmoved > least; unmoved--) {
      const before = items[unmoved - 1];
      if (before === undefined || compare(before, item) <= 0) break;
      items[--to] = before;
    }
    items[--to] = item;
  }
}

export function sumRemaining(lots: Iterable<Lot>): bigint {
  let sum = 0n;
  for (const lot of lots) sum += lot.remaining;
  return sum;
}

/**
 * Returns the slices of draws whose points are returned: last drawn first, without the first `skip` points, which were returned earlier. The
 * slices sum to `points`; null if fewer points were drawn.
 */
export function returnSlices(draws: readonly Draw[], skip: bigint, points: bigint): Draw[] | null {
  const slices: Draw[] = [];
  let passed = 0n;
  let rest = points;
  for (const draw of draws.toReversed()) {
    const free = passed + draw.points > skip ? passed + draw.points - (skip > passed ? skip : passed) : 0n;
    passed += draw.points;
    const taken = free < rest ? free : rest;
    if (taken > 0n) slices.push({ lot: draw.lot, points: taken });
    rest -= taken;
    if (rest === 0n) return slices;
  }
  return rest === 0n ? slices : null;
}
