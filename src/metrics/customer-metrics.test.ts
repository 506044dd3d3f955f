import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import {
  type CustomerMetrics,
  changeBetween,
  expiringText,
  metricsOf,
  NO_METRICS,
  needsWalk,
  parseExpiring,
  pointsClassOf,
  rulesText,
} from "./customer-metrics.ts";

const at = (text: string) => Temporal.Instant.from(text);
const RULES: ExpiryRules = {
  delayMonths: 12,
  mode: "sliding",
  sweep: "daily",
  couponsExtend: true,
  returnedDays: 30,
  shorteningDays: 30,
  shortenedAt: null,
  timeZone: "Asia/Tokyo",
};
const month = (year: number, number: number) => year * 12 + number - 1;
const expiring = fc
  .array(fc.tuple(fc.integer({ min: 24_000, max: 25_000 }), fc.bigInt({ min: 1n, max: 10n ** 15n })))
  .map((entries) => new Map(entries));
const metrics: fc.Arbitrary<CustomerMetrics> = fc.record({
  activeOn: fc.constantFrom(null, "2026-03-01", "2026-03-02"),
  expiring,
  pointsClass: fc.constantFrom(null, 8),
  classPoints: fc.constantFrom(0n, 16n),
});

describe("a customer's metrics", () => {
  test("points expire in the store's month of their date; sliding, the last activity dates all without one of their own", () => {
    const lot = { since: at("2026-01-10T00:00:00Z"), expiresAt: null };
    const found = metricsOf(
      {
        activeAt: at("2026-03-31T16:00:00Z"), // the 1st of April in Tokyo
        lots: [
          { ...lot, remaining: 10n },
          { ...lot, remaining: 5n, since: at("2026-02-10T00:00:00Z") },
          { ...lot, remaining: 7n, expiresAt: at("2026-12-31T14:00:00Z") }, // 23:00: goes with the sweep of the 1st
        ],
      },
      RULES,
    );
    expect(found.activeOn).toBe("2026-04-01");
    expect(found.expiring).toEqual(
      new Map([
        [month(2027, 4), 15n],
        [month(2027, 1), 7n],
      ]),
    );
  });

  test("points that never expire are in no month", () => {
    const lots = [{ since: at("2026-01-10T00:00:00Z"), expiresAt: null, remaining: 3n }];
    expect(metricsOf({ activeAt: null, lots }, { ...RULES, delayMonths: null })).toEqual({
      activeOn: null,
      expiring: new Map(),
      pointsClass: 3,
      classPoints: 3n,
    });
  });

  test("the class never falls as the points rise, and is narrow", () => {
    const points = fc.bigInt({ min: 1n, max: 9_007_199_254_740_991n });
    fc.assert(
      fc.property(points, points, (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(pointsClassOf(less)).toBeLessThanOrEqual(pointsClassOf(more) ?? 0);
        if (2n * more > 3n * less) expect(pointsClassOf(less)).toBeLessThan(pointsClassOf(more) ?? 0);
      }),
    );
    expect([pointsClassOf(0n), pointsClassOf(1n), pointsClassOf(1_024n)]).toEqual([null, 0, 20]);
  });

  test("its text reads as it was", () => {
    fc.assert(
      fc.property(expiring, (months) => {
        expect(parseExpiring(expiringText(months))).toEqual(months);
      }),
    );
    const months = new Map([
      [24_316, 40n],
      [24_315, 120n],
    ]);
    expect(expiringText(months)).toBe("24315:120 24316:40");
  });

  test("the difference takes any sums from what was counted to what is", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(metrics, metrics)), (pairs) => {
        const sum = (of: readonly CustomerMetrics[]) => changeBetween(of.map((each) => [NO_METRICS, each]));
        const before = sum(pairs.map(([each]) => each));
        const after = sum(pairs.map(([, each]) => each));
        const change = changeBetween(pairs);
        const keys = new Set([...before.expiring.keys(), ...after.expiring.keys(), ...change.expiring.keys()]);
        for (const key of keys) {
          const now = (before.expiring.get(key) ?? 0n) + (change.expiring.get(key) ?? 0n);
          expect(now).toBe(after.expiring.get(key) ?? 0n);
        }
        for (const day of ["2026-03-01", "2026-03-02"]) {
          expect((before.active.get(day) ?? 0n) + (change.active.get(day) ?? 0n)).toBe(after.active.get(day) ?? 0n);
        }
      }),
    );
  });
});

test("balances are walked through at first, under other settings, and once a day, but not again while a walk goes on", () => {
  const now = at("2026-03-02T00:00:00Z");
  const rules = rulesText(RULES);
  const idle = { rules, isWalking: false, walkedAt: at("2026-03-01T00:00:01Z") };
  expect(needsWalk({ rules: "", isWalking: false, walkedAt: null }, rules, now)).toBe(true);
  expect(needsWalk(idle, rules, now)).toBe(false);
  expect(needsWalk(idle, rulesText({ ...RULES, timeZone: "UTC" }), now)).toBe(true);
  expect(needsWalk({ ...idle, isWalking: true }, rulesText({ ...RULES, sweep: "monthly" }), now)).toBe(true);
  expect(needsWalk({ ...idle, walkedAt: at("2026-03-01T00:00:00Z") }, rules, now)).toBe(true);
  expect(needsWalk({ rules, isWalking: true, walkedAt: null }, rules, now)).toBe(false);
});
