import fc from "fast-check";
import { expect, test } from "vitest";
import { awardPrices } from "./award-price.ts";

type Row = Parameters<typeof awardPrices>[1][number];
const row = (cause: string, taken: bigint, takenElsewhere = 0n): Row => ({
  ...{ cause, taken, takenElsewhere },
  requested: taken - takenElsewhere,
});
const pricesOf = (minor: bigint, awardablePoints: bigint, before: readonly Row[], rows: readonly Row[]) =>
  [...awardPrices({ price: { minor, creditedAt: null }, awardablePoints }, before, rows)].map(
    ([, price]) => price.minor,
  );

test("the awards of an order sum to its price, in however many parts, postings and lines", () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 500n }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(parts, fc.bigInt({ min: 0n, max: 1_000_000n }), fc.nat(7), (points, minor, cut) => {
      const rows = points.map((taken, n) => row(`fulfillment/${n}`, taken));
      const total = points.reduce((sum, taken) => sum + taken, 0n);
      const prices = [
        ...pricesOf(minor, total, [], rows.slice(0, cut)),
        ...pricesOf(minor, total, rows.slice(0, cut), rows.slice(cut)),
      ];
      expect(prices.reduce((sum, price) => sum + price, 0n)).toBe(minor);
      expect(prices.every((price) => price >= 0n)).toBe(true);
    }),
  );
});

test("what was taken back and is given again has its part again; no award has more than the order's price", () => {
  const given = [row("fulfillment/1", 60n), row("refund/1", -30n)];
  expect(pricesOf(1_000n, 100n, given, [row("adjust/1", 70n)])).toEqual([700n]);
  expect(pricesOf(1_000n, 100n, [], [row("fulfillment/1", 150n), row("fulfillment/2", 10n)])).toEqual([1_000n, 0n]);
  expect(pricesOf(0n, 0n, [], [row("fulfillment/1", 10n)])).toEqual([0n]);
  expect(pricesOf(-5n, 10n, [], [row("fulfillment/1", 10n)])).toEqual([0n]);
});

test("what a balance owes, or was written off with a deleted customer, is not held: given again, it has its part again", () => {
  const given = row("fulfillment/1", 100n);
  expect(pricesOf(1_000n, 100n, [given], [row("adjust/1", 0n, 100n), row("adjust/2", 100n)])).toEqual([1_000n]);
  expect(pricesOf(1_000n, 100n, [given, row("adjust/1", 0n, 60n)], [row("adjust/2", 60n)])).toEqual([600n]);
  expect(pricesOf(1_000n, 100n, [given, row("refund/1", -30n, 70n)], [row("fulfillment/2", 100n)])).toEqual([1_000n]);
});

test("rows that take points, return a coupon's or gave none have no price", () => {
  const rows = [row("coupon_return/c/refund/1", 40n), row("refund/1", -10n), row("fulfillment/1", 0n)];
  expect(pricesOf(1_000n, 100n, [row("fulfillment/0", 50n)], rows)).toEqual([]);
});
