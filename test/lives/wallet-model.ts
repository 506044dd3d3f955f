/** Points of one customer under settings that change, from program.md 3 and 5 alone: slow and obvious. */

export interface Settings {
  readonly timeZone: string;
  readonly delayMonths: number | null;
  readonly mode: "sliding" | "per_allotment";
  readonly sweep: "daily" | "monthly" | "yearly";
  readonly couponsExtend: boolean;
  readonly returnedDays: number;
  readonly shorteningDays: number;
}

/** The settings of a store, and the time before which no computed date lies. */
export interface Terms {
  settings: Settings;
  promisedUntil: Temporal.Instant | null;
}

interface Lot {
  left: bigint;
  /** When its delay counts from. */
  readonly since: Temporal.Instant;
  readonly ownDate: Temporal.Instant | null;
  readonly version: number;
  readonly part: number;
}

interface Draw {
  readonly lot: Lot;
  readonly points: bigint;
}

export interface Wallet {
  readonly lots: Lot[];
  activeAt: Temporal.Instant | null;
  version: number;
  /** When the last allotment was written. */
  lastAt: Temporal.Instant | null;
  /** By coupon, as drawn. */
  readonly coupons: Map<string, readonly Draw[]>;
}

export interface Given {
  readonly points: bigint;
  readonly extends: boolean;
  readonly ownDate?: Temporal.Instant | null;
  readonly earnedAt?: Temporal.Instant | null;
}

export function newWallet(): Wallet {
  return { lots: [], activeAt: null, version: 0, lastAt: null, coupons: new Map() };
}

const FINENESS = { yearly: 0, monthly: 1, daily: 2 };

/** A change of the settings (program.md 5): if it may bring dates forward, none lies before the change plus the days. */
export function changeSettings(terms: Terms, to: Settings, now: Temporal.Instant): void {
  const from = terms.settings;
  terms.settings = to;
  if (to.delayMonths === null) return;
  const isShorter =
    from.delayMonths === null ||
    to.delayMonths < from.delayMonths ||
    (from.mode === "sliding" && to.mode === "per_allotment") ||
    FINENESS[to.sweep] > FINENESS[from.sweep] ||
    from.timeZone !== to.timeZone;
  const until = local(now, to).add({ days: to.shorteningDays }).toInstant();
  if (isShorter && (terms.promisedUntil === null || isBefore(terms.promisedUntil, until))) terms.promisedUntil = until;
}

/** When a lot's points are gone: the first sweep at or after its date. */
function expiryOf(lot: Lot, { activeAt }: Wallet, { settings, promisedUntil }: Terms): Temporal.Instant | null {
  if (lot.ownDate !== null) return sweepFrom(lot.ownDate, settings);
  if (settings.delayMonths === null) return null;
  const isDated = settings.mode === "sliding" && activeAt !== null && isBefore(lot.since, activeAt);
  const start = isDated ? activeAt : lot.since;
  const date = local(start, settings).add({ months: settings.delayMonths }).toInstant();
  return sweepFrom(promisedUntil !== null && isBefore(date, promisedUntil) ? promisedUntil : date, settings);
}

/** Points by their dates, soonest first; those that never expire last. */
export function expiries(wallet: Wallet, terms: Terms, now: Temporal.Instant) {
  const byDate = new Map<string, bigint>();
  for (const lot of open(wallet, terms, now)) {
    const at = expiryOf(lot, wallet, terms)?.toString() ?? "never";
    byDate.set(at, (byDate.get(at) ?? 0n) + lot.left);
  }
  return byDate;
}

export function balanceOf(wallet: Wallet, terms: Terms, now: Temporal.Instant): bigint {
  return open(wallet, terms, now).reduce((sum, { left }) => sum + left, 0n);
}

/** What has reached its date is gone before anything is posted. */
export function writeOff(wallet: Wallet, terms: Terms, now: Temporal.Instant): void {
  const there = new Set(open(wallet, terms, now));
  const gone = wallet.lots.filter((lot) => lot.left > 0n && !there.has(lot));
  for (const lot of gone) lot.left = 0n;
  if (gone.length > 0) write(wallet, now);
}

/** The time of the next allotment: now, or right after the last. */
function write(wallet: Wallet, now: Temporal.Instant): Temporal.Instant {
  const { lastAt } = wallet;
  const at = lastAt === null || isBefore(lastAt, now) ? now : lastAt.add({ microseconds: 1 });
  wallet.version++;
  wallet.lastAt = at;
  return at;
}

export function give(wallet: Wallet, terms: Terms, now: Temporal.Instant, given: Given): void {
  writeOff(wallet, terms, now);
  const at = write(wallet, now);
  const { version } = wallet;
  const isEarnedBefore = terms.settings.mode === "per_allotment" && given.earnedAt != null;
  const since = isEarnedBefore ? given.earnedAt : at;
  wallet.lots.push({ left: given.points, since, ownDate: given.ownDate ?? null, version, part: 0 });
  if (given.extends) wallet.activeAt = at;
}

/** Takes points, soonest expiry first, then those with a date of their own, then oldest. */
export function spend(wallet: Wallet, terms: Terms, now: Temporal.Instant, points: bigint): readonly Draw[] {
  writeOff(wallet, terms, now);
  const order = wallet.lots.filter(({ left }) => left > 0n).toSorted((a, b) => burnOrder(wallet, terms, a, b));
  write(wallet, now);
  const draws: Draw[] = [];
  let open = points;
  for (const lot of order) {
    const some = lot.left < open ? lot.left : open;
    if (some === 0n) break;
    lot.left -= some;
    open -= some;
    draws.push({ lot, points: some });
  }
  return draws;
}

export function issue(
  wallet: Wallet,
  terms: Terms,
  now: Temporal.Instant,
  coupon: { id: string; points: bigint },
): void {
  wallet.coupons.set(coupon.id, spend(wallet, terms, now, coupon.points));
  if (terms.settings.couponsExtend) wallet.activeAt = wallet.lastAt;
}

/** The points come back as they were; a date that has passed becomes one so many days ahead. */
export function cancel(wallet: Wallet, terms: Terms, now: Temporal.Instant, coupon: string): void {
  writeOff(wallet, terms, now);
  write(wallet, now);
  const { version } = wallet;
  const draws = wallet.coupons.get(coupon) ?? [];
  wallet.coupons.delete(coupon);
  for (const [part, { lot, points }] of draws.entries()) {
    const expiry = expiryOf(lot, wallet, terms);
    const isPast = expiry !== null && !isBefore(now, expiry);
    const renewed = local(now, terms.settings).add({ days: terms.settings.returnedDays }).toInstant();
    wallet.lots.push({ left: points, since: lot.since, ownDate: isPast ? renewed : lot.ownDate, version, part });
  }
}

function burnOrder(wallet: Wallet, terms: Terms, a: Lot, b: Lot): number {
  const never = "9";
  const [x, y] = [a, b].map((lot) => expiryOf(lot, wallet, terms)?.toString() ?? never);
  const byDate = (x ?? never) < (y ?? never) ? -1 : (x ?? never) > (y ?? never) ? 1 : 0;
  const own = Number(a.ownDate === null) - Number(b.ownDate === null);
  const byOwn = a.ownDate === null || b.ownDate === null ? 0 : Temporal.Instant.compare(a.ownDate, b.ownDate);
  return byDate || own || byOwn || Temporal.Instant.compare(a.since, b.since) || a.version - b.version;
}

function open(wallet: Wallet, terms: Terms, now: Temporal.Instant): readonly Lot[] {
  return wallet.lots.filter((lot) => {
    const at = expiryOf(lot, wallet, terms);
    return lot.left > 0n && (at === null || isBefore(now, at));
  });
}

/** The first start of a day, month or year of the store at or after a time. */
function sweepFrom(at: Temporal.Instant, settings: Settings): Temporal.Instant {
  const day = local(at, settings).toPlainDate();
  const first = { daily: day, monthly: day.with({ day: 1 }), yearly: day.with({ month: 1, day: 1 }) }[settings.sweep];
  const step = { daily: { days: 1 }, monthly: { months: 1 }, yearly: { years: 1 } }[settings.sweep];
  const [before, next] = [first, first.add(step)].map((date) => date.toZonedDateTime(settings.timeZone).toInstant());
  if (before === undefined || next === undefined) throw new Error("a sweep has a time");
  return isBefore(before, at) ? next : before;
}

function local(at: Temporal.Instant, { timeZone }: Settings): Temporal.ZonedDateTime {
  return at.toZonedDateTimeISO(timeZone);
}

export function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
