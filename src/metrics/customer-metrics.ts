import { type ExpiryRules, lotExpiry } from "../ledger/expiry/expiry.ts";
import type { Lot } from "../ledger/lots/lots.ts";
import { localDate, monthIndex } from "../time/store-time.ts";

/** What one customer adds to the store's active customers and expected expiries. */
export interface CustomerMetrics {
  /** The store's day (`YYYY-MM-DD`) of the last activity; null where there was none. */
  readonly activeOn: string | null;
  /** Points by the store's month in which they expire, numbered by `monthIndex`. Points that never expire are left out. */
  readonly expiring: ReadonlyMap<number, bigint>;
  /** An index on it finds the customers with the most points; null: no points, or a row of an earlier version. */
  readonly pointsClass: number | null;
  /** The points when the class was written, or at the last walk: customers of a class with very many are listed by it. */
  readonly classPoints: bigint;
}

export const NO_METRICS: CustomerMetrics = { activeOn: null, expiring: new Map(), pointsClass: null, classPoints: 0n };

const CLASSES_A_POWER_OF_TWO = 2;

/** The class of a balance: it never falls as the points rise, and few customers with many points share a class. Null: no points. */
export function pointsClassOf(points: bigint): number | null {
  return points <= 0n ? null : Math.floor(Math.log2(Number(points)) * CLASSES_A_POWER_OF_TWO);
}

/** The parts of a balance on which a customer's metrics depend. */
export interface MetricsBalance {
  readonly activeAt: Temporal.Instant | null;
  readonly lots: readonly Pick<Lot, "remaining" | "expiresAt" | "since">[];
}

/**
 * Returns the metrics of a balance under the present expiry settings (program.md 5). Held points count too, because a hold ends sooner than
 * most points expire. The metrics depend on no clock, so they stay correct until the balance or the settings change.
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
  return { activeOn, expiring, pointsClass: pointsClassOf(points), classPoints: points };
}

/** Formats points by month as `24315:120 24316:40`; an empty text means that nothing expires. */
export function expiringText(expiring: CustomerMetrics["expiring"]): string {
  return [...expiring]
    .filter(([, points]) => points !== 0n)
    .sort(([a], [b]) => a - b)
    .map(([month, points]) => `${month}:${points}`)
    .join(" ");
}

/** Parses the text of `expiringText`. */
export function parseExpiring(text: string): Map<number, bigint> {
  const parts = text.split(" ").filter((part) => part !== "");
  return new Map(
    parts.map((part) => {
      const [month = "", points = ""] = part.split(":");
      return [Number(month), BigInt(points)];
    }),
  );
}

/** The change of the sums where customers' metrics change; entries of zero are left out. */
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

/** Part of the text of the rules: changing it recalculates every customer. An earlier version stored no classes. */
const KEEPS = "class";

/** The settings that metrics depend on, as one text to compare. */
export function rulesText(rules: ExpiryRules): string {
  const { delayMonths, mode, sweep, shortenedAt, shorteningDays, timeZone } = rules;
  return JSON.stringify([delayMonths, mode, sweep, shortenedAt?.toString() ?? null, shorteningDays, timeZone, KEEPS]);
}

const HOURS_BETWEEN_WALKS = 24;

/** Whether all balances have to be visited: never done yet, the settings changed, or the last walk is a day old. */
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
