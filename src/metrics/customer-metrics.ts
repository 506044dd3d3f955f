import { type ExpiryRules, lotExpiry } from "../ledger/expiry.ts";
import type { Lot } from "../ledger/lots.ts";
import { localDate, monthIndex } from "../time/store-time.ts";

/** What one customer adds to the store's active customers and expected expiries. */
export interface CustomerMetrics {
  /** The store's day (`YYYY-MM-DD`) of the last activity; null: there was none. */
  readonly activeOn: string | null;
  /** Points by the store's month in which they expire, given as `monthIndex` gives it. What never expires is not in it. */
  readonly expiring: ReadonlyMap<number, bigint>;
  /** By which customers with most points are found; null: none, or a row of an earlier version. */
  readonly pointsClass: number | null;
}

export const NO_METRICS: CustomerMetrics = { activeOn: null, expiring: new Map(), pointsClass: null };

const CLASSES_A_POWER_OF_TWO = 2;

/** The class of a balance: it never falls as the points rise, and few customers with many points share one. Null: no points. */
export function pointsClassOf(points: bigint): number | null {
  return points <= 0n ? null : Math.floor(Math.log2(Number(points)) * CLASSES_A_POWER_OF_TWO);
}

/** What a customer's metrics depend on of the balance. */
export interface MetricsBalance {
  readonly activeAt: Temporal.Instant | null;
  readonly lots: readonly Pick<Lot, "remaining" | "expiresAt" | "since">[];
}

/**
 * Returns the metrics of a balance by the present expiry settings (program.md 5). What is held counts too: a hold ends sooner than most
 * points expire. They depend on no clock, so they stay right until the balance or the settings change.
 */
export function metricsOf({ activeAt, lots }: MetricsBalance, rules: ExpiryRules): CustomerMetrics {
  const expiring = new Map<number, bigint>();
  let points = 0n;
  for (const lot of lots) {
    points += lot.remaining;
    const at = lotExpiry(lot, activeAt, rules);
    if (at === null) continue;
    const month = monthIndex(at, rules.timeZone);
    expiring.set(month, (expiring.get(month) ?? 0n) + lot.remaining);
  }
  const activeOn = activeAt === null ? null : localDate(activeAt, rules.timeZone);
  return { activeOn, expiring, pointsClass: pointsClassOf(points) };
}

/** `24315:120 24316:40`, by month; empty: nothing expires. */
export function expiringText(expiring: CustomerMetrics["expiring"]): string {
  return [...expiring]
    .filter(([, points]) => points !== 0n)
    .sort(([a], [b]) => a - b)
    .map(([month, points]) => `${month}:${points}`)
    .join(" ");
}

/** Reads what `expiringText` wrote. */
export function parseExpiring(text: string): Map<number, bigint> {
  const parts = text.split(" ").filter((part) => part !== "");
  return new Map(
    parts.map((part) => {
      const [month = "", points = ""] = part.split(":");
      return [Number(month), BigInt(points)];
    }),
  );
}

/** By how much the sums change when customers' metrics change; entries of zero are left out. */
export interface MetricsChange {
  readonly active: ReadonlyMap<string, bigint>;
  readonly expiring: ReadonlyMap<number, bigint>;
}

export function changeBetween(
  pairs: Iterable<readonly [before: CustomerMetrics, after: CustomerMetrics]>,
): MetricsChange {
  const active = new Map<string, bigint>();
  const expiring = new Map<number, bigint>();
  for (const [before, after] of pairs) {
    if (before.activeOn !== null) add(active, before.activeOn, -1n);
    if (after.activeOn !== null) add(active, after.activeOn, 1n);
    for (const [month, points] of before.expiring) add(expiring, month, -points);
    for (const [month, points] of after.expiring) add(expiring, month, points);
  }
  return { active: withoutZeros(active), expiring: withoutZeros(expiring) };
}

function add<Key>(sums: Map<Key, bigint>, key: Key, value: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + value);
}

function withoutZeros<Key>(sums: ReadonlyMap<Key, bigint>): Map<Key, bigint> {
  return new Map([...sums].filter(([, value]) => value !== 0n));
}

/** Another text makes every customer be looked at again. An earlier version kept no classes. */
const KEEPS = "class";

/** The settings that metrics depend on, as one text to compare. */
export function rulesText(rules: ExpiryRules): string {
  const { delayMonths, mode, sweep, shortenedAt, shorteningDays, timeZone } = rules;
  return JSON.stringify([delayMonths, mode, sweep, shortenedAt?.toString() ?? null, shorteningDays, timeZone, KEEPS]);
}

const HOURS_BETWEEN_WALKS = 24;

/** Whether all balances have to be looked at: never yet, under other settings, or not for a day. */
export function needsWalk(
  state: { readonly rules: string; readonly isWalking: boolean; readonly walkedAt: Temporal.Instant | null },
  rules: string,
  now: Temporal.Instant,
): boolean {
  if (state.rules !== rules) return true;
  if (state.isWalking) return false;
  return (
    state.walkedAt === null || Temporal.Instant.compare(state.walkedAt.add({ hours: HOURS_BETWEEN_WALKS }), now) <= 0
  );
}
