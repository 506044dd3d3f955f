import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { body, cancelled, line, refunded, shipped } from "../../../test/support/order-events.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { runOrder } from "../../../test/support/run-order.ts";
import type { OrderEvent } from "../facts/merge-facts.ts";

const COUPON = { uid: "u1", code: "PK-abc", points: 100n, currencyValue: 100n };

/** A code of 100 yen over three lines of 1,000 yen: 34 + 33 + 33. */
const LINES = [
  line("a", { price: 1000, discounts: [["pk-ABC", 34]] }),
  line("b", { price: 1000, discounts: [["pk-ABC", 33]] }),
  line("c", { price: 1000, discounts: [["pk-ABC", 33]] }),
];
const lineBack = (id: string, net: number, at = 5): OrderEvent =>
  refunded(at, `r${id}`, { lines: [[id, 1, net]], moved: net });

const returned = (events: readonly OrderEvent[], coupon = COUPON, rules = YEN_RULES) =>
  runOrder(events, rules, { coupons: [coupon] })
    .postings.filter(({ type }) => type === "coupon_reimbursement")
    .map(({ key, pointValue, giveBack }) => [key, pointValue, giveBack?.skip]);

describe("points of a coupon come back", () => {
  test("by the refunded lines' share, rounded down and cumulative, all with the last line", () => {
    const small = { ...COUPON, points: 10n, currencyValue: 100n };
    // 3.4 -> 3, 6.7 -> 6 (+3), 10 (+4).
    expect(returned([body(1, LINES), lineBack("a", 966), lineBack("b", 967, 6), lineBack("c", 967, 7)], small)).toEqual(
      [
        ["coupon_return/u1/ra", 3n, 0n],
        ["coupon_return/u1/rb", 3n, 3n],
        ["coupon_return/u1/rc", 4n, 6n],
      ],
    );
  });

  test("before the order's own points are taken", () => {
    const run = runOrder([body(1, LINES), shipped(2, "f", { a: 1, b: 1, c: 1 }), lineBack("a", 966)], YEN_RULES, {
      coupons: [COUPON],
    });
    expect(run.plan.postings.map(({ key, pointValue }) => [key, pointValue])).toEqual([
      ["coupon_return/u1/ra", 34n],
      ["refund/1/ra", -9n],
    ]);
    expect(run.plan.pointsRedeemed).toBe(100n);
  });

  test("all that is left on cancellation, under its own key", () => {
    expect(returned([body(1, LINES), lineBack("a", 966), cancelled(6)])).toEqual([
      ["coupon_return/u1/ra", 34n, 0n],
      ["coupon_return/u1/cancel", 66n, 34n],
    ]);
  });

  test("not for shipping, and only with the whole order where the store wants it so", () => {
    const shipping = refunded(4, "s", { moved: 500, shipping: 500 });
    expect(returned([body(1, LINES), shipping])).toEqual([]);
    const rules = { ...YEN_RULES, reimburseCouponsOnPartial: false };
    expect(returned([body(1, LINES), lineBack("a", 966)], COUPON, rules)).toEqual([]);
    const all = [lineBack("a", 966), lineBack("b", 967, 6), lineBack("c", 967, 7)];
    expect(returned([body(1, LINES), ...all], COUPON, rules)).toEqual([["coupon_return/u1/rc", 100n, 0n]]);
  });

  test("without what the code was worth above the subtotal", () => {
    // Worth 100 yen, the order cost 80: 20 points are spent, also by cancellation.
    const lines = [line("a", { price: 80, discounts: [["PK-abc", 80]] })];
    expect(returned([body(1, lines), cancelled(2)])).toEqual([["coupon_return/u1/cancel", 80n, 0n]]);
    // The line was free, so no money moves: its unit counts.
    expect(returned([body(1, lines), refunded(2, "r", { lines: [["a", 1, 0]], moved: 0 })])).toEqual([
      ["coupon_return/u1/r", 80n, 0n],
    ]);
  });

  test("by price where lines do not say what the code took", () => {
    const lines = [line("a", { price: 3000 }), line("b", { price: 1000 })];
    const coupons = [{ code: "pk-abc", amount: { minor: 100n, currency: "JPY" }, type: "fixed" }];
    expect(returned([body(1, lines, { coupons }), lineBack("b", 975)])).toEqual([["coupon_return/u1/rb", 25n, 0n]]);
  });

  test("never more than it cost, in whatever parts", () => {
    const amounts = fc.array(fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constantFrom("a", "b", "c")), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(amounts, fc.bigInt(1n, 500n), fc.boolean(), (refunds, points, isCancelled) => {
        const backs = refunds.map((what, n) =>
          typeof what === "number"
            ? refunded(10 + n, `r${n}`, { moved: what })
            : refunded(10 + n, `r${n}`, { lines: [[what, 1, 966]], moved: 966 }),
        );
        const events = [body(1, LINES), ...backs, ...(isCancelled ? [cancelled(50)] : [])];
        const values = returned(events, { ...COUPON, points }).map(([, pointValue]) => pointValue);
        const total = values.reduce<bigint>((sum, value) => sum + (typeof value === "bigint" ? value : 0n), 0n);
        expect(total).toBeGreaterThanOrEqual(0n);
        expect(total).toBeLessThanOrEqual(points);
        if (isCancelled) expect(total).toBe(points);
      }),
      { numRuns: 300 },
    );
  });
});
