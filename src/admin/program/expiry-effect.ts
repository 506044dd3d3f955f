import { type ExpiryRules, lotExpiry } from "../../ledger/expiry/expiry.ts";
import { monthIndex } from "../../time/store-time.ts";

/**
 * A lot with the activity of its balance. Its times are given as quarters of an hour since 1970: `2 n` at the beginning of the nth, else `2 n + 1`.
 * Sweeps happen at days of a zone, so that all times within a quarter have the same expiry.
 */
export interface ExpiringLot {
  readonly customerUid: string;
  readonly remaining: bigint;
  /** Its own expiry date; null: computed. */
  readonly expiresIn: number | null;
  readonly sinceIn: number;
  readonly activeIn: number | null;
}

/** The points that a change affects, and the number of balances that hold them. */
export interface Touched {
  readonly points: bigint;
  readonly balances: number;
}

/** The effect of a change of the rules on expiry dates, regardless of holds (program.md 5). */
export interface ExpiryEffect {
  /** The share of all balances that was read and counted, above 0 and up to 1: an even sample. */
  readonly share: number;
  /** Points that expire sooner than by the old rules, including those that never expired before. */
  readonly earlier: Touched;
  /** Points that expire later, or never. */
  readonly later: Touched;
  /** The part of `earlier` that would expire at once and gets `shortening_days` instead. */
  readonly graced: Touched;
  /** The part of `earlier` that expires at once, because its own date has already passed. */
  readonly atOnce: Touched;
  /** The points that expire in each month of the store, the present one first. */
  readonly months: readonly { readonly month: string; readonly before: bigint; readonly after: bigint }[];
}

export interface ExpiryChange {
  readonly before: ExpiryRules;
  readonly after: ExpiryRules;
  readonly now: Temporal.Instant;
}

export interface ExpiryCounter {
  add(lot: ExpiringLot): void;
  finish(share: number): ExpiryEffect;
}

const MONTHS = 13;
const QUARTER_MS = 900_000;

/** Counts the effect of a change on expiry dates, lot by lot; the lots of a balance must be added together. */
export function createExpiryCounter({ before, after, now }: ExpiryChange): ExpiryCounter {
  const datesBefore = dateReader(before);
  const datesAfter = dateReader(after);
  const datesUngraced = dateReader({ ...after, shortenedAt: before.shortenedAt });
  const counts = { earlier: touchCounter(), later: touchCounter(), graced: touchCounter(), atOnce: touchCounter() };
  const months = monthCounter(now, after.timeZone);
  const nowMs = now.epochMilliseconds;

  function add(lot: ExpiringLot): void {
    const was = datesBefore(lot);
    const is = datesAfter(lot);
    if (was > nowMs) months.add("before", was, lot.remaining);
    if (is > nowMs) months.add("after", is, lot.remaining);
    if (was === is || (was <= nowMs && is <= nowMs)) return;
    counts[is < was ? "earlier" : "later"].add(lot);
    if (is > was) return;
    if (is <= nowMs) counts.atOnce.add(lot);
    else if (datesUngraced(lot) <= nowMs) counts.graced.add(lot);
  }

  const finish = (share: number): ExpiryEffect => ({
    share,
    earlier: counts.earlier.total(),
    later: counts.later.total(),
    graced: counts.graced.total(),
    atOnce: counts.atOnce.total(),
    months: months.all,
  });
  return { add, finish };
}

/** Returns when lots expire by some rules, in milliseconds since 1970; Infinity: never. Results are cached by quarter. */
function dateReader(rules: ExpiryRules): (lot: ExpiringLot) => number {
  const computed = new Map<number, number>();
  const own = new Map<number, number>();
  return ({ expiresIn, sinceIn, activeIn }) => {
    if (expiresIn !== null) {
      return remembered(own, expiresIn, (at) => lotExpiry({ expiresAt: at, since: at }, null, rules));
    }
    const start = rules.mode === "sliding" && activeIn !== null ? Math.max(sinceIn, activeIn) : sinceIn;
    return remembered(computed, start, (at) => lotExpiry({ expiresAt: null, since: at }, null, rules));
  };
}

function remembered(
  known: Map<number, number>,
  quarter: number,
  dateOf: (at: Temporal.Instant) => Temporal.Instant | null,
): number {
  const found = known.get(quarter);
  if (found !== undefined) return found;
  const at = Temporal.Instant.fromEpochMilliseconds((quarter * QUARTER_MS) / 2);
  const date = dateOf(at)?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  known.set(quarter, date);
  return date;
}

function monthCounter(now: Temporal.Instant, timeZone: string) {
  const first = monthIndex(now, timeZone);
  const all = Array.from({ length: MONTHS }, (_, at) => ({ month: monthText(first + at), before: 0n, after: 0n }));
  const indexes = new Map<number, number>([[Number.POSITIVE_INFINITY, MONTHS]]);
  return {
    all,
    add(side: "before" | "after", ms: number, points: bigint): void {
      const index = indexes.get(ms) ?? monthIndex(Temporal.Instant.fromEpochMilliseconds(ms), timeZone) - first;
      indexes.set(ms, index);
      const month = all[index];
      if (month !== undefined) month[side] += points;
    },
  };
}

function touchCounter() {
  let points = 0n;
  let balances = 0;
  let last: string | null = null;
  return {
    add(lot: ExpiringLot): void {
      points += lot.remaining;
      if (lot.customerUid !== last) balances++;
      last = lot.customerUid;
    },
    total: (): Touched => ({ points, balances }),
  };
}

function monthText(index: number): string {
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`;
}
