import { describe, expect, test } from "vitest";
import {
  body,
  cancelled,
  fulfillment,
  line,
  minute,
  refund,
  refunded,
  shipped,
} from "../../../test/support/order-events.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { type OrderRun, planAgain, runOrder } from "../../../test/support/run-order.ts";

const short = (run: OrderRun): readonly (readonly [string, bigint])[] =>
  run.postings.map(({ key, pointValue }) => [key, pointValue]);

describe("refunds", () => {
  const two = [line("a", { price: 1000, quantity: 2 }), line("b", { price: 550 })];
  const order = [body(1, two), shipped(2, "f", { a: 2, b: 1 })]; // 2,550 yen: 26 points

  test("its lines, once, whoever tells of it", () => {
    const back = { lines: [["a", 1, 1000]], moved: 1000 } as const;
    const again = body(4, two, { refunds: [refund(3, "r", back)] });
    const run = runOrder([...order, refunded(3, "r", back), again, refunded(3, "r", back)], YEN_RULES);
    // 1,550 yen: 16 points, 10 less.
    expect(short(run).at(-1)).toEqual(["refund/1/r", -10n]);
    expect(run.plan).toMatchObject({
      awardablePoints: 16n,
      pointsAwarded: 16n,
      tierSpend: { minor: 1550n, creditedAt: minute(2) },
    });
  });

  test.each([
    // Lines of 1,000 yen with a fee of 200 kept: 2,550 - 800 = 1,750 yen, 18 points.
    ["less money than its lines", { lines: [["a", 1, 1000]], moved: 800 }, 18n],
    // 1,200 yen for a line of 1,000: the other 200 from what is left: 1,350 yen, 14 points.
    ["more money than its lines", { lines: [["a", 1, 1000]], moved: 1200 }, 14n],
    ["shipping only", { moved: 500, shipping: 450, shippingTax: 50 }, 26n],
    // 1,700 less 500 of shipping: 2,550 - 1,200 = 1,350 yen.
    ["an amount and shipping, no lines", { moved: 1700, shipping: 500 }, 14n],
    ["an edit's removal, no money", { lines: [["b", 1, 550]], moved: 0 }, 20n],
    ["transactions not known", { lines: [["b", 1, 550]], moved: null }, 20n],
    ["more than all", { moved: 9999 }, 0n],
  ] as const)("%s", (_name, words, points) => {
    const run = runOrder([...order, refunded(3, "r", words)], YEN_RULES);
    expect([run.plan.awardablePoints, run.plan.pointsAwarded]).toEqual([points, points]);
  });

  test("money that settles an edit's removal lowers nothing a second time; beyond it, it does", () => {
    const removal = refunded(3, "r1", { lines: [["a", 1, 1000, 0, "cancel"]], moved: 0 });
    const settled = runOrder([...order, removal, refunded(4, "r2", { moved: 1000 })], YEN_RULES);
    expect(settled.plan.awardablePoints).toBe(16n);
    const beyond = runOrder([...order, removal, refunded(4, "r2", { moved: 1050 })], YEN_RULES);
    expect(beyond.plan.awardablePoints).toBe(15n); // 1,500 yen
  });

  test("of more than 25 that are new at once, groups are taken back, and each is settled", () => {
    const hundred = [line("a", { price: 1000, quantity: 100 })];
    const refunds = Array.from({ length: 60 }, (_, n) => refund(3, `r${n}`, { lines: [["a", 1, 1000]], moved: 1000 }));
    const run = runOrder([body(1, hundred), shipped(2, "f", { a: 100 }), body(3, hundred, { refunds })], YEN_RULES);
    const back = run.postings.filter(({ key }) => key.startsWith("refund/"));
    expect(back.map(({ pointValue }) => pointValue)).toEqual(Array(20).fill(-30n));
    expect(run.plan).toMatchObject({ awardablePoints: 400n, pointsAwarded: 400n });
    const known = new Set(run.rows.map(({ cause }) => cause));
    expect(refunds.filter(({ refundId }) => !known.has(`refund/1/${refundId}`))).toEqual([]);
    expect(planAgain(run, {}).plan.postings).toEqual([]);
  });

  test("before the award it merely lowers the target", () => {
    const run = runOrder(
      [body(1, two), refunded(2, "r", { lines: [["b", 1, 550, 0, "cancel"]], moved: 550 }), shipped(3, "f", { a: 2 })],
      YEN_RULES,
    );
    expect(short(run)).toEqual([["fulfillment/1/f/a", 20n]]);
  });

  test("a unit that will not ship any more leaves the rest fully awarded", () => {
    // Two units of 1,000 yen, one shipped (10 points), one removed and refunded: still 10, and all of the target.
    const events = [body(1, [line("a", { price: 1000, quantity: 2 })]), shipped(2, "f", { a: 1 })];
    const run = runOrder(
      [...events, refunded(3, "r", { lines: [["a", 1, 1000, 0, "cancel"]], moved: 1000 })],
      YEN_RULES,
    );
    expect([run.plan.awardablePoints, run.plan.pointsAwarded, short(run).length]).toEqual([10n, 10n, 1]);
    expect(run.plan.tierSpend).toEqual({ minor: 1000n, creditedAt: minute(2) });
  });

  test("a shipped unit that came back does not count for the one that is still to ship", () => {
    // Two units of 1,000 yen, one shipped and returned: 10 points can still be awarded, by the other one.
    const events = [body(1, [line("a", { price: 1000, quantity: 2 })]), shipped(2, "f", { a: 1 })];
    const run = runOrder([...events, refunded(3, "r", { lines: [["a", 1, 1000]], moved: 1000 })], YEN_RULES);
    expect([run.plan.awardablePoints, run.plan.pointsAwarded]).toEqual([10n, 0n]);
  });

  test("a cent that the platform's rounding leaves on a line taken back whole earns nothing", () => {
    // Three units of 333 yen; their refunds come to 333, 333 and 332.
    const lines = [line("a", { price: 333, quantity: 3 })];
    const events = [body(1, lines), shipped(2, "f", { a: 3 })];
    const backs = [333, 333, 332].map((net, n) => refunded(5 + n, `r${n}`, { lines: [["a", 1, net]], moved: net }));
    expect(runOrder([...events, ...backs], YEN_RULES).plan).toMatchObject({ awardablePoints: 0n, pointsAwarded: 0n });
  });

  test("a removal that only the body's counts tell of", () => {
    const left = body(3, [
      line("a", { price: 1000, quantity: 2, currentQuantity: 1 }),
      line("b", { price: 550, currentQuantity: 1 }),
    ]);
    const run = runOrder([...order, left], YEN_RULES);
    expect(short(run).at(-1)).toEqual(["adjust/1/1", -10n]);
  });

  test("a cancellation with its refund takes everything once", () => {
    const run = runOrder(
      [
        ...order,
        cancelled(5),
        refunded(5, "r", {
          lines: [
            ["a", 2, 2000],
            ["b", 1, 550],
          ],
          moved: 2550,
        }),
        body(6, two, { cancelledAt: minute(5) }),
      ],
      YEN_RULES,
    );
    expect(short(run).slice(2)).toEqual([["cancel/1", -26n]]);
    const swapped = runOrder([...order, refunded(5, "r", { moved: 1000 }), cancelled(5)], YEN_RULES);
    expect(short(swapped).slice(2)).toEqual([
      ["refund/1/r", -10n],
      ["cancel/1", -16n],
    ]);
    expect([run, swapped].map(({ plan }) => [plan.awardablePoints, plan.pointsAwarded, plan.tierSpend])).toEqual([
      [0n, 0n, null],
      [0n, 0n, null],
    ]);
  });

  test("tax on top goes back with its line", () => {
    // 1,000 + 100 twice, tax earns: 22 points; one unit back with its tax: 11.
    const lines = [line("a", { price: 1000, quantity: 2, tax: 200 })];
    const events = [body(1, lines, { taxesIncluded: false, fulfillments: [fulfillment(1, "f", { a: 2 })] })];
    const back = refunded(3, "r", { lines: [["a", 1, 1000, 100]], moved: 1100 });
    expect(short(runOrder([...events, back], YEN_RULES))).toEqual([
      ["fulfillment/1/f/a", 22n],
      ["refund/1/r", -11n],
    ]);
    const net = runOrder([...events, back], { ...YEN_RULES, includeTax: false });
    expect(net.plan).toMatchObject({ awardablePoints: 10n, tierSpend: { minor: 1000n } });
  });

  test("what could not be taken stays forgiven", () => {
    const run = runOrder([...order, refunded(3, "r", { moved: 1000 })], YEN_RULES);
    const capped = run.rows.map((row) => (row.cause === "refund/1/r" ? { ...row, taken: -4n } : row));
    const again = planAgain({ ...run, rows: capped }, {});
    expect(again.plan.postings).toEqual([]);
    expect(again.plan.pointsAwarded).toBe(22n);
  });
});
