import { compareInstants } from "../compare-instants.ts";
import { type ExpiryRules, lotExpiry } from "../expiry/expiry.ts";
import type { CustomerLedger, LotWindow } from "../posting.ts";
import {
  addHeld,
  compareHeldAge,
  compareHeldDated,
  firstLeft,
  type Held,
  type LotLine,
  lotLine,
  pointsUntil,
  takeDue,
  untouched,
} from "./lot-line.ts";
import { compareAge, compareDated, type Draw, type Lot } from "./lots.ts";

/** A decision needs more lots than its window has. Thrown by the burner; only `decidePostings` catches it, and returns null. */
export class LotWindowExceeded extends Error {
  constructor() {
    super("a decision needs more lots than its window holds");
  }
}

/** The lots of one balance while its postings are decided: a working copy of a window, in which lots are opened and burnt. */
export interface LotBurner {
  readonly rules: ExpiryRules;
  /** All known lots, in the window or not. */
  readonly held: Held[];
  readonly dated: LotLine;
  readonly undated: LotLine;
  /** Lots under a date that they no longer have. */
  readonly gone: Lot[];
  /** The known lots by version, once a burn names some: an order may take back as many allotments as it has lines. */
  byVersion: Map<bigint, Held[]> | null;
}

/** Creates a burner for a window of lots. */
export function lotBurner(window: LotWindow, rules: ExpiryRules): LotBurner {
  const { datedMore, undatedMore } = window;
  const dated = window.dated.map(untouched);
  const undated = window.undated.map(untouched);
  const held = [...dated, ...undated];
  const known = new Set(window.named.length === 0 ? [] : held.map(({ lot }) => lotName(lot)));
  for (const lot of window.named) {
    if (known.has(lotName(lot))) continue;
    known.add(lotName(lot));
    held.push(untouched(lot));
  }
  return {
    rules,
    held,
    dated: lotLine(dated, datedMore),
    undated: lotLine(undated, undatedMore),
    gone: [],
    byVersion: null,
  };
}

function lotName({ version, part }: Lot): string {
  return `${version}/${part}`;
}

/**
 * Opens lots, in any order: those that are given back come last drawn first, so each belongs before all others. A lot behind the window's end is not
 * used: a burn that reaches the end reads a larger window and decides again.
 */
export function openLots(burner: LotBurner, lots: readonly Lot[]): void {
  const opened = lots.map((lot): Held => ({ lot, isNew: true, remaining: lot.remaining }));
  for (const held of opened) burner.held.push(held);
  if (burner.byVersion !== null) addByVersion(burner.byVersion, opened);
  const isDated = ({ lot }: Held) => lot.expiresAt !== null;
  addHeld(burner.dated, opened.filter(isDated), compareHeldDated);
  addHeld(
    burner.undated,
    opened.filter((held) => !isDated(held)),
    compareHeldAge,
  );
}

/**
 * Takes `points` from the lots: first those of the versions in `first`, then those that expire soonest, then the oldest. If several expire in
 * the same sweep, those with an own date burn first, in the order of their dates.
 */
export function burnLots(
  burner: LotBurner,
  points: bigint,
  first: readonly bigint[],
  activeAt: Temporal.Instant | null,
): Draw[] {
  const draws: Draw[] = [];
  let left = points;
  for (const version of first) {
    const named = heldOf(burner, version);
    if (named.length > 1) named.sort((a, b) => compareBurn(a.lot, b.lot, activeAt, burner.rules));
    for (const entry of named) left = take(entry, left, draws);
  }
  if (first.length > 0) for (const line of [burner.dated, burner.undated]) line.due = null;
  while (left > 0n) {
    const next = nextLot(burner, activeAt);
    if (next === undefined) throw new Error("a balance holds more points than its lots");
    const rest = take(next, left, draws);
    takeDue(lineOf(burner, next), left - rest);
    left = rest;
  }
  return draws;
}

function lineOf({ dated, undated }: LotBurner, { lot }: Held): LotLine {
  return lot.expiresAt === null ? undated : dated;
}

/** Returns the lots that an allotment opened. */
function heldOf(burner: LotBurner, version: bigint): Held[] {
  if (burner.byVersion === null) {
    burner.byVersion = new Map();
    addByVersion(burner.byVersion, burner.held);
  }
  return (burner.byVersion.get(version) ?? []).filter(({ isGone }) => isGone !== true);
}

function addByVersion(byVersion: Map<bigint, Held[]>, held: readonly Held[]): void {
  for (const one of held) {
    const ofVersion = byVersion.get(one.lot.version);
    if (ofVersion === undefined) byVersion.set(one.lot.version, [one]);
    else ofVersion.push(one);
  }
}

/** Compares lots of both kinds in burn order. */
function compareBurn(a: Lot, b: Lot, activeAt: Temporal.Instant | null, rules: ExpiryRules): number {
  const x = lotExpiry(a, activeAt, rules);
  const y = lotExpiry(b, activeAt, rules);
  const byDate = x === null || y === null ? Number(x === null) - Number(y === null) : compareInstants(x, y);
  const byKind = Number(a.expiresAt === null) - Number(b.expiresAt === null);
  return byDate || byKind || (a.expiresAt === null ? compareAge(a, b) : compareDated(a, b));
}

function take(entry: Held, points: bigint, draws: Draw[]): bigint {
  const taken = entry.remaining < points ? entry.remaining : points;
  if (taken > 0n) draws.push({ lot: entry.lot, points: taken });
  entry.remaining -= taken;
  return points - taken;
}

/**
 * Gives the lots that burn first, until they cover `points`, the date that `dateOf` returns as their own date. A lot is never split: its held
 * points get the new date too.
 */
export function redateLots(
  burner: LotBurner,
  points: bigint,
  activeAt: Temporal.Instant | null,
  dateOf: (lot: Lot) => Temporal.Instant | null,
): void {
  const moved: Lot[] = [];
  for (let left = points; left > 0n; ) {
    const next = nextLot(burner, activeAt);
    if (next === undefined) throw new Error("more points are due than the lots hold");
    const { lot, remaining, isNew } = next;
    left -= remaining;
    moved.push({ ...lot, remaining, expiresAt: dateOf(lot) });
    const line = lineOf(burner, next);
    takeDue(line, remaining);
    line.first++;
    next.isGone = true;
    if (!isNew) burner.gone.push(lot);
  }
  openLots(burner, moved);
}

/** Returns the first remaining lot of each kind; throws `LotWindowExceeded` if the window does not contain it. */
function heads(burner: LotBurner): { dated: Held | undefined; undated: Held | undefined } {
  const dated = firstLeft(burner.dated);
  const undated = firstLeft(burner.undated);
  const isShort = (dated === undefined && burner.dated.hasMore) || (undated === undefined && burner.undated.hasMore);
  if (isShort) throw new LotWindowExceeded();
  return { dated, undated };
}

/** Returns the next lot to burn; undefined: there is none. */
function nextLot(burner: LotBurner, activeAt: Temporal.Instant | null): Held | undefined {
  const head = heads(burner);
  const { dated, undated } = head;
  if (dated === undefined || undated === undefined) return dated ?? undated;
  const own = lotExpiry(dated.lot, activeAt, burner.rules);
  const computed = lotExpiry(undated.lot, activeAt, burner.rules);
  return own !== null && (computed === null || compareInstants(own, computed) <= 0) ? dated : undated;
}

/** Returns the sum of the lots that expire at or before `now`. */
export function duePoints(burner: LotBurner, now: Temporal.Instant, activeAt: Temporal.Instant | null): bigint {
  let sum = 0n;
  for (const line of [burner.dated, burner.undated]) {
    const firstKept = firstAfter(line, burner.rules, now, activeAt);
    if (firstKept === line.lots.length && line.hasMore) throw new LotWindowExceeded();
    sum += pointsUntil(line, firstKept);
  }
  return sum;
}

/** Returns when the remaining points next expire after `now`; null: never. Points that are due by then remain only because of holds. */
export function expiryAfter(
  burner: LotBurner,
  now: Temporal.Instant,
  activeAt: Temporal.Instant | null,
): Temporal.Instant | null {
  let next: Temporal.Instant | null = null;
  for (const line of [burner.dated, burner.undated]) {
    let place = firstAfter(line, burner.rules, now, activeAt);
    while (line.lots[place]?.remaining === 0n) place++;
    const held = line.lots[place];
    if (held === undefined && line.hasMore) throw new LotWindowExceeded();
    const at = held === undefined ? null : lotExpiry(held.lot, activeAt, burner.rules);
    if (at !== null && (next === null || compareInstants(at, next) < 0)) next = at;
  }
  return next;
}

/** Returns the place of the first lot that expires after `now`, or never. Lots of one kind expire in their order, so few dates are computed. */
function firstAfter(
  { lots, first }: LotLine,
  rules: ExpiryRules,
  now: Temporal.Instant,
  activeAt: Temporal.Instant | null,
): number {
  let [least, most] = [first, lots.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    const held = lots[middle];
    const at = held === undefined ? null : lotExpiry(held.lot, activeAt, rules);
    if (at !== null && compareInstants(at, now) <= 0) least = middle + 1;
    else most = middle;
  }
  return least;
}

/** Returns the bounds that the balance's row stores: the oldest lot without an own date, and the soonest own date. */
export function lotBounds(burner: LotBurner): {
  oldestSince: Temporal.Instant | null;
  soonestExpiresAt: Temporal.Instant | null;
} {
  const head = heads(burner);
  return { oldestSince: head.undated?.lot.since ?? null, soonestExpiresAt: head.dated?.lot.expiresAt ?? null };
}

/** Returns the exact bounds of the row: from the lots after a burn, otherwise from the opened lots. */
export function boundsAfter(
  burner: LotBurner,
  before: Pick<CustomerLedger, "oldestSince" | "soonestExpiresAt">,
  isBurnt: boolean,
  opened: readonly Lot[],
): Pick<CustomerLedger, "oldestSince" | "soonestExpiresAt"> {
  if (isBurnt) return lotBounds(burner);
  let { oldestSince, soonestExpiresAt } = before;
  for (const lot of opened) {
    if (lot.expiresAt === null) oldestSince = earlier(oldestSince, lot.since);
    else soonestExpiresAt = earlier(soonestExpiresAt, lot.expiresAt);
  }
  return { oldestSince, soonestExpiresAt };
}

function earlier(a: Temporal.Instant | null, b: Temporal.Instant): Temporal.Instant {
  return a !== null && compareInstants(a, b) <= 0 ? a : b;
}

/**
 * Returns the lots to write: opened lots (or lots with a new date) that have points, lots with fewer points, and lots that are used up (or no
 * longer have a date).
 */
export function lotChanges(burner: LotBurner): { opened: Lot[]; changed: Lot[]; usedUp: Lot[] } {
  const opened: Lot[] = [];
  const changed: Lot[] = [];
  const usedUp = [...burner.gone];
  for (const { lot, remaining, isNew, isGone } of burner.held) {
    if (isGone === true) continue;
    if (isNew && remaining > 0n) opened.push(remaining === lot.remaining ? lot : { ...lot, remaining });
    else if (!isNew && remaining === 0n) usedUp.push(lot);
    else if (!isNew && remaining !== lot.remaining) changed.push({ ...lot, remaining });
  }
  return { opened, changed, usedUp };
}
