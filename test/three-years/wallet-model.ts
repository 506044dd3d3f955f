/**
 * One customer's points, written from program.md 3 and 5 alone: lots, the order in which they go, sliding expiry with survivors, and
 * points that come back. Dates are worked out anew each time that they are asked for.
 */
export const TIME_ZONE = "Asia/Tokyo";
const RETURNED_DAYS = 30;
const SHORTENING_DAYS = 30;

/** What dates are computed from; `shortenedAt`: when the delay became shorter. */
export interface ExpiryTerms {
  delayMonths: number;
  shortenedAt: Temporal.Instant | null;
}

export interface Lot {
  left: bigint;
  readonly since: Temporal.Instant;
  readonly ownDate: Temporal.Instant | null;
  /** The order that gave these points; null: no order, or points that came back. */
  readonly orderId: string | null;
}

export interface Draw {
  readonly lot: Lot;
  readonly points: bigint;
}

export interface Wallet {
  lots: Lot[];
  activeAt: Temporal.Instant | null;
  postedAt: Temporal.Instant | null;
  /** Points by type of allotment. */
  readonly sums: Map<string, bigint>;
}

export interface Change {
  readonly type: string;
  readonly value: bigint;
  readonly extends?: boolean;
  /** Of an award: the order that gives. Of a deduction: the order whose points go first. */
  readonly orderId?: string;
}

export function openWallet(): Wallet {
  return { lots: [], activeAt: null, postedAt: null, sums: new Map() };
}

export function balanceOf({ lots }: Wallet): bigint {
  return lots.reduce((sum, lot) => sum + lot.left, 0n);
}

/** The soonest date of the balance; null: there are no points. */
export function expiresAt(wallet: Wallet, terms: ExpiryTerms): Temporal.Instant | null {
  const [first = null] = wallet.lots.map((lot) => expiryOf(wallet, lot, terms)).sort(Temporal.Instant.compare);
  return first;
}

/** Takes what has reached its date; to be called before anything else happens to the wallet. */
export function writeOff(wallet: Wallet, terms: ExpiryTerms, now: Temporal.Instant): void {
  const due = wallet.lots.filter((lot) => Temporal.Instant.compare(expiryOf(wallet, lot, terms), now) <= 0);
  const points = due.reduce((sum, lot) => sum + lot.left, 0n);
  if (points === 0n) return;
  wallet.lots = wallet.lots.filter((lot) => !due.includes(lot));
  note(wallet, "expiration", -points, now);
}

/** Gives points, or takes some that the balance has; answers from which lots they were taken. */
export function change(wallet: Wallet, terms: ExpiryTerms, now: Temporal.Instant, made: Change): readonly Draw[] {
  const draws = made.value < 0n ? burn(wallet, terms, -made.value, made.orderId) : [];
  const at = note(wallet, made.type, made.value, now);
  if (made.value > 0n) {
    wallet.lots.push({ left: made.value, since: at, ownDate: null, orderId: made.orderId ?? null });
  }
  if (made.extends === true) wallet.activeAt = at;
  return draws;
}

export interface Returned {
  readonly type: string;
  readonly draws: readonly Draw[];
  /** How many of the points drawn came back before. */
  readonly skip: bigint;
  readonly points: bigint;
}

/** Points that were drawn come back, those drawn last first: for each lot of then a new one with its date and start. */
export function giveBack(wallet: Wallet, terms: ExpiryTerms, now: Temporal.Instant, returned: Returned): void {
  let { skip, points: left } = returned;
  for (const { lot, points } of [...returned.draws].reverse()) {
    const skipped = least(skip, points);
    const part = least(left, points - skipped);
    skip -= skipped;
    left -= part;
    if (part === 0n) continue;
    const isPast = Temporal.Instant.compare(expiryOf(wallet, lot, terms), now) <= 0;
    const ownDate = isPast ? daysAfter(now, RETURNED_DAYS) : lot.ownDate;
    wallet.lots.push({ left: part, since: lot.since, ownDate, orderId: null });
  }
  if (left !== 0n) throw new Error("more comes back than was drawn");
  note(wallet, returned.type, returned.points, now);
}

function burn(wallet: Wallet, terms: ExpiryTerms, points: bigint, orderId: string | undefined): readonly Draw[] {
  const draws: Draw[] = [];
  let left = points;
  for (const lot of burnOrder(wallet, terms, orderId)) {
    const part = least(left, lot.left);
    if (part === 0n) break;
    lot.left -= part;
    left -= part;
    draws.push({ lot, points: part });
  }
  if (left !== 0n) throw new Error("more is taken than there is");
  wallet.lots = wallet.lots.filter((lot) => lot.left > 0n);
  return draws;
}

/** The order's own lots, then the soonest expiry; of those that go in one sweep, those with a date of their own, then the oldest. */
function burnOrder(wallet: Wallet, terms: ExpiryTerms, orderId: string | undefined): readonly Lot[] {
  const ownFirst = (lot: Lot): number => (orderId !== undefined && lot.orderId === orderId ? 0 : 1);
  const byOwnDate = (a: Lot, b: Lot): number => {
    if (a.ownDate === null || b.ownDate === null) return Number(a.ownDate === null) - Number(b.ownDate === null);
    return Temporal.Instant.compare(a.ownDate, b.ownDate);
  };
  return wallet.lots.toSorted(
    (a, b) =>
      ownFirst(a) - ownFirst(b) ||
      Temporal.Instant.compare(expiryOf(wallet, a, terms), expiryOf(wallet, b, terms)) ||
      byOwnDate(a, b) ||
      Temporal.Instant.compare(a.since, b.since),
  );
}

/** The midnight of the store from which a lot's points are gone. */
function expiryOf(wallet: Wallet, lot: Lot, terms: ExpiryTerms): Temporal.Instant {
  return midnightAtOrAfter(lot.ownDate ?? computedDate(wallet, lot, terms));
}

function computedDate(wallet: Wallet, lot: Lot, { delayMonths, shortenedAt }: ExpiryTerms): Temporal.Instant {
  const start = wallet.activeAt === null ? lot.since : latest(wallet.activeAt, lot.since);
  const date = start.toZonedDateTimeISO(TIME_ZONE).add({ months: delayMonths }).toInstant();
  return shortenedAt === null ? date : latest(date, daysAfter(shortenedAt, SHORTENING_DAYS));
}

function midnightAtOrAfter(date: Temporal.Instant): Temporal.Instant {
  const local = date.toZonedDateTimeISO(TIME_ZONE);
  const midnight = local.startOfDay();
  return (midnight.equals(local) ? midnight : midnight.add({ days: 1 })).toInstant();
}

/** Keeps the books; answers the allotment's time, which rises strictly. */
function note(wallet: Wallet, type: string, value: bigint, now: Temporal.Instant): Temporal.Instant {
  wallet.sums.set(type, (wallet.sums.get(type) ?? 0n) + value);
  wallet.postedAt = wallet.postedAt === null ? now : latest(now, wallet.postedAt.add({ microseconds: 1 }));
  return wallet.postedAt;
}

function daysAfter(at: Temporal.Instant, days: number): Temporal.Instant {
  return at.toZonedDateTimeISO(TIME_ZONE).add({ days }).toInstant();
}

function latest(a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(a, b) >= 0 ? a : b;
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
