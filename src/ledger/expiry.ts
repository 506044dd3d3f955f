import type { ExpirationRules } from "../program/program.ts";
import { addDays, addMonths, sweepAtOrAfter } from "../time/store-time.ts";
import { compareInstants } from "./compare-instants.ts";
import type { Lot } from "./lots.ts";

/** What dates are computed from: the settings of one program version and the store's time zone. */
export interface ExpiryRules extends ExpirationRules {
  readonly timeZone: string;
}

/**
 * When a lot expires: the first sweep at or after its own date, else the date the settings give it; null: never. Points are
 * spendable until then and not a second longer (program.md 5).
 */
export function lotExpiry(
  lot: Pick<Lot, "expiresAt" | "since">,
  activeAt: Temporal.Instant | null,
  rules: ExpiryRules,
): Temporal.Instant | null {
  if (lot.expiresAt !== null) return sweepAtOrAfter(lot.expiresAt, rules.sweep, rules.timeZone);
  return defaultExpiry(lot.since, activeAt, rules);
}

/**
 * The expiry of points without a date of their own. It never falls as `since` rises, so the oldest such lot of a balance
 * expires first. Sliding: the last extending activity dates every lot that stood then; later ones, the survivors, keep theirs.
 */
function defaultExpiry(
  since: Temporal.Instant,
  activeAt: Temporal.Instant | null,
  rules: ExpiryRules,
): Temporal.Instant | null {
  if (rules.delayMonths === null) return null;
  return computedExpiry(rules.mode === "sliding" ? later(since, activeAt) : since, rules.delayMonths, rules);
}

interface Computed {
  readonly startNanos: bigint;
  readonly rules: ExpiryRules;
  readonly expiry: Temporal.Instant;
}

/** The last two, newest first: a batch asks for the same moment again and again, in turn with each customer's own. */
const recent: Computed[] = [];

function computedExpiry(start: Temporal.Instant, delayMonths: number, rules: ExpiryRules): Temporal.Instant {
  const startNanos = start.epochNanoseconds;
  const at = recent.findIndex((each) => each.startNanos === startNanos && each.rules === rules);
  const found = recent[at] ?? { startNanos, rules, expiry: expiryFrom(start, delayMonths, rules) };
  if (at !== 0) {
    recent.splice(1, 1);
    recent.unshift(found);
  }
  return found.expiry;
}

/** The sweep at which points expire that count from `start`. It never falls as `start` rises. */
export function expiryFrom(start: Temporal.Instant, delayMonths: number, rules: ExpiryRules): Temporal.Instant {
  const computed = addMonths(start, delayMonths, rules.timeZone);
  return sweepAtOrAfter(notBeforeShortening(computed, rules), rules.sweep, rules.timeZone);
}

/**
 * Points that a shorter delay would have expired at once get `shorteningDays` from the change on; those that it would have
 * expired within these days get them too, else they would go before older ones.
 */
function notBeforeShortening(computed: Temporal.Instant, rules: ExpiryRules): Temporal.Instant {
  return later(computed, shorteningEnd(rules));
}

/** No computed date lies before it; null: the delay never became shorter. */
export function shorteningEnd(rules: ExpiryRules): Temporal.Instant | null {
  return rules.shortenedAt === null ? null : addDays(rules.shortenedAt, rules.shorteningDays, rules.timeZone);
}

/** What a balance row says of its lots' dates, exactly: the oldest lot without and the soonest with a date of its own. */
export interface ExpiryBounds {
  readonly activeAt: Temporal.Instant | null;
  readonly oldestSince: Temporal.Instant | null;
  readonly soonestExpiresAt: Temporal.Instant | null;
}

/** When points of the balance next expire, from its row alone; null: never, or there are none. */
export function balanceExpiry(bounds: ExpiryBounds, rules: ExpiryRules): Temporal.Instant | null {
  const own =
    bounds.soonestExpiresAt === null ? null : sweepAtOrAfter(bounds.soonestExpiresAt, rules.sweep, rules.timeZone);
  const computed = bounds.oldestSince === null ? null : defaultExpiry(bounds.oldestSince, bounds.activeAt, rules);
  return sooner(own, computed);
}

/** The date of points that come back: theirs, or `returnedDays` from now when it has passed meanwhile (program.md 3). */
export function returnedOwnDate(
  lot: Pick<Lot, "expiresAt" | "since">,
  activeAt: Temporal.Instant | null,
  now: Temporal.Instant,
  rules: ExpiryRules,
): Temporal.Instant | null {
  const expiry = lotExpiry(lot, activeAt, rules);
  if (expiry === null || compareInstants(expiry, now) > 0) return lot.expiresAt;
  return addDays(now, rules.returnedDays, rules.timeZone);
}

function later(a: Temporal.Instant, b: Temporal.Instant | null): Temporal.Instant {
  return b !== null && compareInstants(b, a) > 0 ? b : a;
}

function sooner(a: Temporal.Instant | null, b: Temporal.Instant | null): Temporal.Instant | null {
  if (a === null || b === null) return a ?? b;
  return compareInstants(a, b) <= 0 ? a : b;
}

/**
 * SQL for the UTC day from which the expiry of a balance's lots without a date of their own counts where it slides: that of the last
 * extending activity, or of the oldest such lot where that is later; null: it has none.
 */
export function expiryDay(activeAt: string, oldestSince: string): string {
  return `case when ${oldestSince} is not null then (greatest(${activeAt}, ${oldestSince}) at time zone 'UTC')::date end`;
}

/** Points that expire at one time. */
export interface Expiry {
  readonly expiresAt: Temporal.Instant;
  readonly points: bigint;
}

/** A balance as far as its expiries depend on it. */
export interface ExpiringBalance {
  readonly heldPoints: bigint;
  readonly activeAt: Temporal.Instant | null;
  readonly lots: readonly Pick<Lot, "remaining" | "expiresAt" | "since">[];
}

/**
 * What of the available points expires when, soonest first; with what never expires it sums to what is available. Holds keep what
 * expires soonest, as a capture would take it, beyond its date too; other points that have reached theirs are gone (program.md 3, 5).
 */
export function upcomingExpiries(balance: ExpiringBalance, rules: ExpiryRules, now: Temporal.Instant): Expiry[] {
  const dated = new Map<bigint, bigint>();
  let due = 0n;
  for (const lot of balance.lots) {
    const at = lotExpiry(lot, balance.activeAt, rules);
    if (at === null) continue;
    if (compareInstants(at, now) <= 0) due += lot.remaining;
    else dated.set(at.epochNanoseconds, (dated.get(at.epochNanoseconds) ?? 0n) + lot.remaining);
  }
  // what is due is gone, or stays for the hold, which keeps what burns first
  let held = due < balance.heldPoints ? balance.heldPoints - due : 0n;
  const upcoming: Expiry[] = [];
  for (const [nanoseconds, points] of [...dated].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kept = held < points ? held : points;
    held -= kept;
    if (points > kept) {
      upcoming.push({ expiresAt: Temporal.Instant.fromEpochNanoseconds(nanoseconds), points: points - kept });
    }
  }
  return upcoming;
}
