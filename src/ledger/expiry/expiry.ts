import type { ExpirationRules } from "../../program/program.ts";
import { addDays, addMonths, sweepAtOrAfter } from "../../time/store-time.ts";
import { compareInstants, soonerOf } from "../compare-instants.ts";
import type { Lot } from "../lots/lots.ts";

/** The settings from which dates are computed: those of one program version, and the store's time zone. */
export interface ExpiryRules extends ExpirationRules {
  readonly timeZone: string;
}

/**
 * Returns when a lot expires: the first sweep at or after its own date, otherwise the date computed from the settings; null: never. Points
 * are spendable exactly until then (program.md 5).
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
 * Returns the expiry of points without an own date. It never falls as `since` rises, so the oldest such lot of a balance expires first.
 * Sliding: the last extending activity dates every lot that existed then; later lots, the survivors, keep their own date.
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

/** The last two results, newest first: a batch needs the same moment many times, alternating with each customer's own. */
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

/** Returns the sweep at which points expire whose delay counts from `start`. It never falls as `start` rises. */
export function expiryFrom(start: Temporal.Instant, delayMonths: number, rules: ExpiryRules): Temporal.Instant {
  const computed = addMonths(start, delayMonths, rules.timeZone);
  return sweepAtOrAfter(notBeforeShortening(computed, rules), rules.sweep, rules.timeZone);
}

/**
 * Gives points that a shorter delay would expire at once `shorteningDays` from the change on. Points that it would expire within these days
 * get the same date; otherwise they would expire before older ones.
 */
function notBeforeShortening(computed: Temporal.Instant, rules: ExpiryRules): Temporal.Instant {
  return later(computed, shorteningEnd(rules));
}

/** Returns the date before which no computed date lies; null: the delay never became shorter. */
export function shorteningEnd(rules: ExpiryRules): Temporal.Instant | null {
  return rules.shortenedAt === null ? null : addDays(rules.shortenedAt, rules.shorteningDays, rules.timeZone);
}

/** The exact bounds of a balance's lots, as its row stores them: the oldest lot without an own date, and the soonest own date. */
export interface ExpiryBounds {
  readonly activeAt: Temporal.Instant | null;
  readonly oldestSince: Temporal.Instant | null;
  readonly soonestExpiresAt: Temporal.Instant | null;
}

/** Returns when points of the balance next expire, computed only from its row; null: never, or there are none. */
export function balanceExpiry(bounds: ExpiryBounds, rules: ExpiryRules): Temporal.Instant | null {
  const own =
    bounds.soonestExpiresAt === null ? null : sweepAtOrAfter(bounds.soonestExpiresAt, rules.sweep, rules.timeZone);
  const computed = bounds.oldestSince === null ? null : defaultExpiry(bounds.oldestSince, bounds.activeAt, rules);
  return soonerOf(own, computed);
}

/** Returns the date of returned points: their own, or `returnedDays` from now if that has passed meanwhile (program.md 3). */
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

/**
 * Returns SQL for the UTC day from which a balance's lots without an own date count their sliding expiry: the day of the last extending
 * activity, or of the oldest such lot if that is later; null if there is no such lot.
 */
export function expiryDay(activeAt: string, oldestSince: string): string {
  return `case when ${oldestSince} is not null then (greatest(${activeAt}, ${oldestSince}) at time zone 'UTC')::date end`;
}

/** Points that expire at the same time. */
export interface Expiry {
  readonly expiresAt: Temporal.Instant;
  readonly points: bigint;
}

/** The parts of a balance on which its expiries depend. */
export interface ExpiringBalance {
  readonly heldPoints: bigint;
  readonly activeAt: Temporal.Instant | null;
  readonly lots: readonly Pick<Lot, "remaining" | "expiresAt" | "since">[];
}

/**
 * Returns when the available points expire, soonest first. Together with the points that never expire, they sum to the available points. Holds
 * keep the points that expire soonest, as a capture would take them, even beyond their date; other points past their date are gone
 * (program.md 3, 5).
 */
export function upcomingExpiries(balance: ExpiringBalance, rules: ExpiryRules, now: Temporal.Instant): Expiry[] {
  const dated = new Map<bigint, bigint>();
  let due = 0n;
  for (const { at, points } of expiringRuns(balance, rules)) {
    if (compareInstants(at, now) <= 0) due += points;
    else dated.set(at.epochNanoseconds, (dated.get(at.epochNanoseconds) ?? 0n) + points);
  }
  // due points are gone, or kept by the hold, which keeps the points that burn first
  const held = due < balance.heldPoints ? balance.heldPoints - due : 0n;
  const soonestFirst = [...dated].sort(([a], [b]) => (a < b ? -1 : 1)).map(([at, points]) => ({ at, points }));
  return withoutHeld(soonestFirst, held).map(({ at, points }) => ({
    expiresAt: Temporal.Instant.fromEpochNanoseconds(at),
    points,
  }));
}

/** Returns what holds leave of the parts of a balance, soonest expiry first: they keep the points that expire soonest (program.md 3). */
export function withoutHeld<Part extends { readonly points: bigint }>(
  soonestFirst: readonly Part[],
  heldPoints: bigint,
): Part[] {
  let held = heldPoints;
  return soonestFirst.flatMap((part) => {
    const kept = held < part.points ? held : part.points;
    held -= kept;
    return part.points > kept ? [{ ...part, points: part.points - kept }] : [];
  });
}

interface ExpiringRun {
  readonly at: Temporal.Instant;
  readonly points: bigint;
}

/**
 * Returns the points of lots that expire, some of the same date together. Lots in the order of the times that date them expire in that order: between two
 * that expire together, all do. So of very many lots, which are of few days, few dates are computed, and none twice.
 */
function expiringRuns({ lots, activeAt }: ExpiringBalance, rules: ExpiryRules): ExpiringRun[] {
  const own = lots.filter(({ expiresAt }) => expiresAt !== null);
  const computed = rules.delayMonths === null ? [] : lots.filter(({ expiresAt }) => expiresAt === null);
  const datedBy = ({ expiresAt, since }: LotDates) => expiresAt ?? since;
  const dates = new Map<LotDates, Temporal.Instant | null>();
  const expiryOf = (lot: LotDates) => {
    const known = dates.get(lot);
    const at = known === undefined ? lotExpiry(lot, activeAt, rules) : known;
    dates.set(lot, at);
    return at;
  };
  return [own, computed].flatMap((kind) =>
    runsOf(
      kind.toSorted((a, b) => compareInstants(datedBy(a), datedBy(b))),
      expiryOf,
    ),
  );
}

type LotDates = ExpiringBalance["lots"][number];

function runsOf(sorted: readonly LotDates[], expiryOf: (lot: LotDates) => Temporal.Instant | null): ExpiringRun[] {
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const at = expiryOf(first);
  const isRun = sorted.length === 1 || at?.epochNanoseconds === expiryOf(last)?.epochNanoseconds;
  if (isRun) return at === null ? [] : [{ at, points: sorted.reduce((sum, { remaining }) => sum + remaining, 0n) }];
  const middle = sorted.length >> 1;
  return [...runsOf(sorted.slice(0, middle), expiryOf), ...runsOf(sorted.slice(middle), expiryOf)];
}
