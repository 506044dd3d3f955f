import { compareAge, compareDated, insertSorted, type Lot } from "./lots.ts";

/** A lot and its remaining points while postings are decided. */
export interface Held {
  readonly lot: Lot;
  readonly isNew: boolean;
  remaining: bigint;
  /** It has another date now, under which another one stands for it. */
  isGone?: true;
}

/** Lots of one kind in burn order. A balance may have 100,000, so none is taken out of the list, which would move all the others. */
export interface LotLine {
  readonly lots: Held[];
  /** The lots before this place are used up. */
  first: number;
  /** Lots behind the last one were not read. */
  readonly hasMore: boolean;
  /** What the lots from `first` up to the place `until` hold; null: unknown. Thousands of holds may end one after the other, and each needs it. */
  due: { readonly until: number; points: bigint } | null;
}

/** Returns a line of lots in burn order. */
export function lotLine(lots: Held[], hasMore: boolean): LotLine {
  return { lots, first: 0, hasMore, due: null };
}

/** Returns a lot of which nothing was taken yet. */
export function untouched(lot: Lot): Held {
  return { lot, isNew: false, remaining: lot.remaining };
}

/** Returns the first lot that has points; undefined: none of those that were read. */
export function firstLeft(line: LotLine): Held | undefined {
  while (line.lots[line.first]?.remaining === 0n) line.first++;
  return line.lots[line.first];
}

/** Puts opened lots into a line, in any order. Those behind its last one are left out if lots there were not read. */
export function addHeld(line: LotLine, opened: readonly Held[], compare: typeof compareHeldAge): void {
  const { lots, first, hasMore, due } = line;
  const last = lots[first] === undefined ? undefined : lots.at(-1);
  const within = opened.filter((held) => !hasMore || (last !== undefined && compare(held, last) < 0));
  const lastDue = due === null || due.until <= first ? undefined : lots[due.until - 1];
  if (lastDue !== undefined && within.some((held) => compare(held, lastDue) < 0)) line.due = null;
  insertSorted(lots, within, compare, first);
}

export function compareHeldAge(a: Held, b: Held): number {
  return compareAge(a.lot, b.lot);
}

export function compareHeldDated(a: Held, b: Held): number {
  return compareDated(a.lot, b.lot);
}

/** Notes that points of a line's first lot are gone. */
export function takeDue({ due, first }: LotLine, points: bigint): void {
  if (due !== null && first < due.until) due.points -= points;
}

/** Returns what a line's lots before a place hold: only those are added up that were not before. */
export function pointsUntil(line: LotLine, until: number): bigint {
  const { lots, first, due } = line;
  const isKnown = due !== null && first <= due.until && due.until <= until;
  let points = isKnown ? due.points : 0n;
  for (let at = isKnown ? due.until : first; at < until; at++) points += lots[at]?.remaining ?? 0n;
  line.due = { until, points };
  return points;
}
