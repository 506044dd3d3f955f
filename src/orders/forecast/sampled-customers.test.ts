import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateCustomers } from "./sampled-customers.ts";

/** The number of orders of each customer. */
const stores = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });

test("all orders as the sample give the customers themselves", () => {
  fc.assert(
    fc.property(stores, (orders) => {
      expect(
        estimateCustomers(
          orders.map((count) => ({ sampled: count, orders: count })),
          1,
        ),
      ).toBe(orders.length);
    }),
  );
});

test("samples of every second order come to about all customers, and not to those with several orders twice", () => {
  const everySecond = Array.from({ length: 1_000 }, (_, n) => ({ sampled: 1, orders: n < 500 ? 1 : 3 }));
  // 500 of 1,000 customers with one order, and each of 500 with three once and half of them once more
  const again = everySecond.map((one, n) => (n >= 750 ? { ...one, sampled: 2 } : one));
  expect(estimateCustomers(again, 2)).toBe(2 * (500 + 250 / 3 + 500 / 3));
});

test("it is never less than the customers who were seen", () => {
  fc.assert(
    fc.property(stores, fc.double({ min: 1, max: 100, noNaN: true }), (orders, share) => {
      const seen = orders.map((count) => ({ sampled: 1, orders: count }));
      expect(estimateCustomers(seen, share)).toBeGreaterThanOrEqual(orders.length);
    }),
  );
});
