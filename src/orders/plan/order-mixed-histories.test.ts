import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  body,
  cancelled,
  fulfillment,
  line,
  minute,
  money,
  refund,
  refunded,
  shipped,
} from "../../../test/support/order-events.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { runOrder } from "../../../test/support/run-order.ts";
import type { OrderLine } from "../../platforms/neutral-events.ts";
import type { OrderEvent } from "../facts/merge-facts.ts";
import type { OrderRules } from "./order-rules.ts";

const IDS = ["a", "b"] as const;
const COUPON = { uid: "u", code: "code", points: 300n, currencyValue: 300n };

/** Weighed goods, goods that are not shipped, tips. */
const lines: fc.Arbitrary<readonly OrderLine[]> = fc
  .tuple(
    ...IDS.map((id) =>
      fc
        .record({
          price: fc.integer({ min: 1, max: 3000 }),
          quantity: fc.constantFrom(0.25, 0.5, 1, 1.5, 2, 3),
          discounts: fc.array(fc.tuple(fc.constant("CODE"), fc.integer({ min: 1, max: 400 })), { maxLength: 1 }),
          tax: fc.integer({ min: 0, max: 90 }),
          kind: fc.constantFrom("product", "product", "custom", "tip"),
          requiresShipping: fc.constantFrom(undefined, undefined, true, false),
          unitPriceMillionths: fc.constantFrom(undefined, 250_000, 999_999),
        } as const)
        .map(({ requiresShipping, unitPriceMillionths, ...words }) => ({
          ...line(id, words),
          ...(requiresShipping === undefined ? {} : { requiresShipping }),
          ...(unitPriceMillionths === undefined ? {} : { unitPriceMillionths }),
        })),
    ),
  )
  .map((some) => some);

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

const units = fc.record({ a: fc.constantFrom(0, 0.25, 1, 1.5), b: fc.constantFrom(0, 0.5, 1, 2) });
const back = fc.record({
  lines: fc.array(
    fc.tuple(
      fc.constantFrom(...IDS),
      fc.constantFrom(0.25, 0.5, 1, 2),
      fc.integer({ min: 0, max: 4000 }),
      fc.integer({ min: 0, max: 90 }),
      fc.constantFrom("return", "cancel", "no_restock"),
    ),
    { maxLength: 2 },
  ),
  moved: fc.oneof(fc.constant(null), fc.constant(0), fc.integer({ min: 1, max: 6000 })),
} as const);

const eventSets: fc.Arbitrary<readonly OrderEvent[]> = fc
  .record({
    lines,
    taxesIncluded: fc.boolean(),
    discount: fc.constantFrom(undefined, undefined, 1, 250, 9000),
    statuses: fc.array(fc.tuple(fc.boolean(), fc.constantFrom(undefined, true, true, false)), {
      minLength: 1,
      maxLength: 3,
    }),
    shipments: fc.array(
      fc.tuple(units, fc.constantFrom("success", "success", "cancelled", "pending"), fc.constantFrom(5, 25, 60)),
      { maxLength: 3 },
    ),
    refunds: fc.array(back, { maxLength: 2 }),
    isCancelled: fc.constantFrom(false, false, false, true),
  } as const)
  .map(({ lines: all, taxesIncluded, discount, statuses, shipments, refunds, isCancelled }) => {
    const coupons = [{ code: "CODE", amount: { minor: 300n, currency: "JPY" }, type: "fixed" }];
    const stated = {
      taxesIncluded,
      coupons,
      ...(discount === undefined ? {} : { goodsDiscount: money(discount) }),
    };
    return [
      ...statuses.map(([paid, isFulfilledWhole], n) =>
        body(10 * (n + 1), all, {
          ...stated,
          paid,
          ...(isFulfilledWhole === undefined ? {} : { isFulfilledWhole }),
        }),
      ),
      body(90, all, {
        paid: true,
        taxesIncluded,
        fulfillments: shipments.map(([of], n) => fulfillment(20 + n, `f${n}`, of)),
        refunds: refunds.map((words, n) => refund(50 + n, `r${n}`, words)),
      }),
      ...shipments.map(([of, status, at], n) => shipped(20 + n, `f${n}`, of, status, at)),
      ...refunds.map((words, n) => refunded(50 + n, `r${n}`, { ...words, moved: null })),
      ...(isCancelled ? [cancelled(70), body(80, all, { ...stated, cancelledAt: minute(71) })] : []),
    ];
  });

const twoOrders = eventSets.chain((events) =>
  fc.tuple(
    fc.constant(events),
    fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2, maxLength: events.length * 2 }),
  ),
);

const run = (events: readonly OrderEvent[], rules: OrderRules) => runOrder(events, rules, { coupons: [COUPON] });

describe("weighed goods, lines that are not shipped, a status alone, and a discount that no line carries", () => {
  test("end alike, whatever the order and repetition of the events", () => {
    const end = (events: readonly OrderEvent[], rules: OrderRules) => {
      const { plan, postings } = run(events, rules);
      const { awardablePoints, pointsAwarded, tierSpend } = plan;
      const balance = postings.reduce((sum, { pointValue }) => sum + pointValue, 0n);
      return { awardablePoints, pointsAwarded, tierSpend, balance };
    };
    fc.assert(
      fc.property(twoOrders, rulesOf, ([events, others], rules) => {
        expect(end(others, rules)).toEqual(end(events, rules));
      }),
      { numRuns: 200 },
    );
  });

  test("never award more than awardable nor less than 0, use each key once, return no more than a coupon cost", () => {
    fc.assert(
      fc.property(twoOrders, rulesOf, ([, events], rules) => {
        for (let n = 1; n <= events.length; n++) {
          const { plan, postings, rows } = run(events.slice(0, n), rules);
          expect(plan.pointsAwarded).toBeGreaterThanOrEqual(0n);
          expect(plan.pointsAwarded).toBeLessThanOrEqual(plan.awardablePoints);
          expect(new Set(rows.map(({ cause }) => cause)).size).toBe(rows.length);
          const returns = postings.filter(({ type }) => type === "coupon_reimbursement");
          const returned = returns.reduce((sum, { pointValue }) => sum + pointValue, 0n);
          expect(returned).toBeGreaterThanOrEqual(0n);
          expect(returned).toBeLessThanOrEqual(COUPON.points);
        }
      }),
      { numRuns: 120 },
    );
  });

  test("awarded all that can be once the status says that all is delivered", () => {
    fc.assert(
      fc.property(eventSets, rulesOf, (events, rules) => {
        const placed = events.filter(({ type }) => type === "OrderUpdated");
        const last = placed.at(-1);
        if (last?.type !== "OrderUpdated") throw new Error("an order has a body");
        const stated = {
          ...last.payload,
          fulfillments: [],
          refunds: [],
          isFulfilledWhole: true,
          updatedAt: minute(99),
        };
        const done = { ...last, entityVersion: minute(99), payload: stated };
        const { plan } = run([...placed.map(withoutShipments), done], rules);
        expect(plan.pointsAwarded).toBe(plan.awardablePoints);
      }),
      { numRuns: 200 },
    );
  });
});

function withoutShipments(event: OrderEvent): OrderEvent {
  if (event.type !== "OrderUpdated") return event;
  return { ...event, payload: { ...event.payload, fulfillments: [], refunds: [] } };
}
