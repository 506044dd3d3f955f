import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  body,
  cancelled,
  fulfillment,
  type LineSpec,
  line,
  minute,
  refund,
  refunded,
  shipped,
} from "../../../test/support/order-events.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { runOrder } from "../../../test/support/run-order.ts";
import { mergeFacts, type OrderEvent } from "../facts/merge-facts.ts";
import { encodeFacts, type StoredFacts } from "../facts/order-facts.ts";
import type { OrderRules } from "./order-rules.ts";

const lineWords: fc.Arbitrary<LineSpec> = fc.record({
  price: fc.integer({ min: 1, max: 3000 }),
  quantity: fc.integer({ min: 1, max: 3 }),
  tax: fc.integer({ min: 0, max: 90 }),
  discounts: fc.array(fc.tuple(fc.constantFrom("CODE", "other"), fc.integer({ min: 1, max: 400 })), { maxLength: 2 }),
  kind: fc.constantFrom("product", "product", "product", "custom", "gift_card", "tip"),
});

const rulesOf: fc.Arbitrary<OrderRules> = fc
  .record({
    rounding: fc.constantFrom("up", "down", "half_up"),
    includeTax: fc.boolean(),
    separateTax: fc.boolean(),
    awardOn: fc.constantFrom("paid", "paid_and_fulfilled", "paid_and_fulfilled"),
    spendAt: fc.constantFrom("fulfilled", "paid", "processed"),
    reimburseCouponsOnPartial: fc.boolean(),
  } as const)
  .map((some) => ({ ...YEN_RULES, ...some, rate: { pointValue: 3n, currencyValue: 70n } }));

const IDS = ["a", "b", "c"] as const;
const units = fc.record({
  a: fc.integer({ min: 0, max: 2 }),
  b: fc.integer({ min: 0, max: 2 }),
  c: fc.integer({ min: 0, max: 2 }),
});
const refundWords = fc.record({
  lines: fc.array(
    fc.tuple(
      fc.constantFrom(...IDS),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 4000 }),
      fc.integer({ min: 0, max: 90 }),
      fc.constantFrom("return", "cancel", "no_restock"),
    ),
    { maxLength: 2 },
  ),
  moved: fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: 1, max: 6000 })),
  shipping: fc.integer({ min: 0, max: 500 }),
} as const);

/** A set of events of one order: bodies of several versions, shipments, refunds sent twice, cancellations. */
const eventSets: fc.Arbitrary<readonly OrderEvent[]> = fc
  .record({
    lines: fc.tuple(lineWords, lineWords, lineWords),
    taxesIncluded: fc.boolean(),
    paid: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    shipments: fc.array(fc.tuple(units, fc.constantFrom("success", "success", "success", "cancelled", "pending")), {
      maxLength: 3,
    }),
    refunds: fc.array(fc.tuple(refundWords, fc.boolean()), { maxLength: 3 }),
    isCancelled: fc.constantFrom(false, false, false, true),
  } as const)
  .map(({ lines, taxesIncluded, paid, shipments, refunds, isCancelled }) => {
    const coupons = [{ code: "CODE", amount: { minor: 300n, currency: "JPY" }, type: "fixed" }];
    const stated = { taxesIncluded, coupons };
    const all = IDS.map((id, n) => line(id, lines[n] ?? { price: 1 }));
    const facts = refunds.map(([words], n) => refund(50 + n, `r${n}`, words));
    const ships = shipments.map(([of], n) => fulfillment(20 + n, `f${n}`, of));
    return [
      // Versions 1 to 3; the first two share one, and tell of different lines.
      ...paid.map((isPaid, n) =>
        body(Math.max(n, 1) * 10, n === 0 ? all.slice(0, 2) : all, { ...stated, paid: isPaid }),
      ),
      body(90, all, { ...stated, paid: true, refunds: facts, fulfillments: ships }),
      ...shipments.map(([of, status], n) => shipped(20 + n, `f${n}`, of, status, 30)),
      ...refunds.flatMap(([words, known], n) => (known ? [] : [refunded(50 + n, `r${n}`, { ...words, moved: null })])),
      ...(isCancelled ? [cancelled(70), body(80, all, { ...stated, cancelledAt: minute(71) })] : []),
    ];
  });

/** The same events in another order, some of them twice. */
const twoOrders = eventSets.chain((events) =>
  fc.tuple(
    fc.constant(events),
    fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2, maxLength: events.length * 2 }),
  ),
);

const COUPON = { uid: "u", code: "code", points: 300n, currencyValue: 300n };
const end = (events: readonly OrderEvent[], rules: OrderRules) => {
  const { plan, postings } = runOrder(events, rules, { coupons: [COUPON] });
  const { awardablePoints, pointsAwarded, tierSpend } = plan;
  return {
    awardablePoints,
    pointsAwarded,
    tierSpend,
    balance: postings.reduce((sum, { pointValue }) => sum + pointValue, 0n),
  };
};

describe("any order and repetition of an order's events", () => {
  test("ends in equal facts", () => {
    const merge = (events: readonly OrderEvent[]): string => {
      const merged = events.reduce<StoredFacts | null>((facts, event) => mergeFacts(facts, event), null);
      return JSON.stringify(merged && encodeFacts(merged));
    };
    fc.assert(
      fc.property(twoOrders, ([events, others]) => {
        expect(merge(others)).toBe(merge(events));
      }),
      { numRuns: 400 },
    );
  });

  test("ends in equal balance, awardable and awarded points, and tier spend", () => {
    fc.assert(
      fc.property(twoOrders, rulesOf, ([events, others], rules) => {
        expect(end(others, rules)).toEqual(end(events, rules));
      }),
      { numRuns: 400 },
    );
  });

  test("never awards more than awardable nor less than 0, uses each key once, never posts 0", () => {
    fc.assert(
      fc.property(twoOrders, rulesOf, ([, events], rules) => {
        for (let n = 1; n <= events.length; n++) {
          const { plan, postings } = runOrder(events.slice(0, n), rules, { coupons: [COUPON] });
          expect(plan.pointsAwarded).toBeGreaterThanOrEqual(0n);
          expect(plan.pointsAwarded).toBeLessThanOrEqual(plan.awardablePoints);
          expect(new Set(postings.map(({ key }) => key)).size).toBe(postings.length);
          expect(postings.every(({ pointValue }) => pointValue !== 0n)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("against plain sums", () => {
  const plainLine = fc.record({ price: fc.integer({ min: 1, max: 5000 }), quantity: fc.integer({ min: 1, max: 3 }) });
  const plainOrder = fc.record({
    lines: fc.tuple(plainLine, plainLine),
    rate: fc.record({ pointValue: fc.bigInt(1n, 9n), currencyValue: fc.bigInt(1n, 900n) }),
    rounding: fc.constantFrom("up", "down", "half_up"),
    // The amount of a refund without lines, or the line of which one unit goes back in full.
    refunds: fc.array(fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.constantFrom("a", "b")), { maxLength: 4 }),
    shuffle: fc.infiniteStream(fc.nat()),
  } as const);

  test("shipped unit by unit in any order, less its refunds' money, rounded once", () => {
    fc.assert(
      fc.property(plainOrder, ({ lines, rate, rounding, refunds, shuffle }) => {
        const orderLines = [line("a", lines[0]), line("b", lines[1])];
        const parcels = orderLines.flatMap(({ lineId, quantity }) => Array.from({ length: quantity }, () => lineId));
        const ships = parcels
          .map((lineId, n) => ({ event: shipped(10 + n, `f${n}`, { [lineId]: 1 }), at: shuffle.next().value ?? 0 }))
          .sort((x, y) => x.at - y.at)
          .map(({ event }) => event);
        const left = new Map(orderLines.map(({ lineId, quantity }) => [lineId, quantity]));
        const price = { a: lines[0].price, b: lines[1].price };
        let base = lines[0].price * lines[0].quantity + lines[1].price * lines[1].quantity;
        const back: OrderEvent[] = [];
        for (const [n, what] of refunds.entries()) {
          const units = typeof what === "number" ? 0 : (left.get(what) ?? 0);
          if (typeof what !== "number" && units === 0) continue;
          const money = typeof what === "number" ? what : price[what];
          if (typeof what !== "number") left.set(what, units - 1);
          base = Math.max(0, base - money);
          const of = typeof what === "number" ? [] : [[what, 1, money] as const];
          back.push(refunded(100 + n, `r${n}`, { lines: of, moved: money }));
        }
        // Its own rounding: with whole numbers of 1/2 point, not with the service's fractions.
        const [top, bottom] = [BigInt(base) * rate.pointValue, rate.currencyValue];
        const expected = {
          up: (top + bottom - 1n) / bottom,
          down: top / bottom,
          half_up: (top * 2n + bottom) / (bottom * 2n),
        };
        const run = runOrder([body(1, orderLines), ...ships, ...back], { ...YEN_RULES, rate, rounding });
        expect(run.plan.awardablePoints).toBe(expected[rounding]);
        if ([...left.values()].every((units) => units > 0)) expect(run.plan.pointsAwarded).toBe(expected[rounding]);
      }),
      { numRuns: 200 },
    );
  });

  test("a full refund, by lines, as an amount or as an edit, ends at exactly 0", () => {
    const ways = fc.constantFrom("lines", "amount", "unknown", "edit");
    fc.assert(
      fc.property(fc.tuple(lineWords, lineWords), ways, fc.boolean(), rulesOf, ([a, b], way, taxesIncluded, rules) => {
        const lines = [line("a", a), line("b", b)];
        const net = (words: LineSpec): number =>
          Math.max(
            0,
            words.price * (words.quantity ?? 1) - (words.discounts ?? []).reduce((sum, [, amount]) => sum + amount, 0),
          );
        const total = [a, b].reduce((sum, words) => sum + net(words) + (taxesIncluded ? 0 : (words.tax ?? 0)), 0);
        const all = (["a", "b"] as const).map((id, n) => {
          const words = n === 0 ? a : b;
          return [id, words.quantity ?? 1, net(words), words.tax ?? 0] as const;
        });
        const moved = { lines: total + 500, amount: total + 500, unknown: null, edit: 0 }[way];
        const back = refunded(9, "r", { lines: way === "amount" ? [] : all, moved, shipping: 500 });
        const ships = shipped(2, "f", { a: a.quantity ?? 1, b: b.quantity ?? 1 });
        const run = runOrder([body(1, lines, { taxesIncluded }), ships, back], rules);
        expect(run.plan).toMatchObject({ awardablePoints: 0n, pointsAwarded: 0n, tierSpend: null });
      }),
      { numRuns: 200 },
    );
  });
});
