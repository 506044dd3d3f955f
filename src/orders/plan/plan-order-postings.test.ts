import { describe, expect, test } from "vitest";
import { body, line, minute, refund, shipped } from "../../../test/support/order-events.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { type OrderRun, planAgain, runOrder } from "../../../test/support/run-order.ts";
import { remainsOf } from "../facts/refund-base.ts";
import { shipmentsOf, splitAward } from "./award-split.ts";
import { earningLines } from "./order-target.ts";

const short = (run: OrderRun): readonly (readonly [string, bigint])[] =>
  run.postings.map(({ key, pointValue }) => [key, pointValue]);

describe("awards", () => {
  test("nothing before the order is paid and shipped, though the target shows", () => {
    const lines = [line("a", { price: 1050, quantity: 2 })];
    const unpaid = runOrder([body(1, lines, { paid: false }), shipped(2, "f", { a: 2 })], YEN_RULES);
    expect([unpaid.plan.awardablePoints, short(unpaid)]).toEqual([21n, []]);
    const unshipped = runOrder([body(1, lines)], YEN_RULES);
    expect([unshipped.plan.awardablePoints, short(unshipped)]).toEqual([21n, []]);
  });

  test("an allotment names its line, order and shipment", () => {
    const run = runOrder([body(1, [line("11", { price: 1000 })]), shipped(2, "5", { "11": 1 })], YEN_RULES);
    expect(run.postings).toEqual([
      {
        key: "fulfillment/1/5/11",
        type: "fulfillment",
        pointValue: 10n,
        object: "line_item-11",
        parent: "order-1",
        action: "fulfillment-5",
        cascade: true,
        reasonType: "fulfillment",
        shortfall: null,
        drawsOwnLots: false,
        couponUid: null,
        giveBack: null,
      },
    ]);
  });

  test("leftovers of lines and shipments are rounded together: 333 + 333 + 335 = 1,001 yen give 11 points", () => {
    // Cumulative: 3.33 -> 4, 6.66 -> 7 (+3), 10.01 -> 11 (+4).
    const lines = [line("a", { price: 333 }), line("b", { price: 333 }), line("c", { price: 335 })];
    const run = runOrder([body(1, lines), shipped(2, "f1", { a: 1, b: 1 }), shipped(3, "f2", { c: 1 })], YEN_RULES);
    expect(short(run)).toEqual([
      ["fulfillment/1/f1/a", 4n],
      ["fulfillment/1/f1/b", 3n],
      ["fulfillment/1/f2/c", 4n],
    ]);
  });

  test("a share of 0 is not written, and never comes back under its key", () => {
    // Rounded down: 0.5 -> 0, 1.0 -> 1, 1.5 -> 1.
    const lines = [line("a", { price: 50 }), line("b", { price: 50 }), line("c", { price: 50 })];
    const rules = { ...YEN_RULES, rounding: "down" as const };
    const events = [body(1, lines), shipped(2, "f1", { a: 1 }), shipped(3, "f2", { b: 1 }), shipped(4, "f3", { c: 1 })];
    expect(short(runOrder(events, rules))).toEqual([["fulfillment/1/f2/b", 1n]]);
  });

  test("gift cards and tips earn nothing; the code's cents are already off the lines", () => {
    // 1,999 - 333 = 1,666 yen of goods: 17 points. The gift card (5,000) and the tip (300) count for nothing.
    const lines = [
      line("a", { price: 1999, discounts: [["SAVE", 333]] }),
      line("g", { price: 5000, kind: "gift_card" }),
      line("t", { price: 300, kind: "tip" }),
    ];
    const run = runOrder([body(1, lines), shipped(2, "f", { a: 1, g: 1, t: 1 })], YEN_RULES);
    expect(short(run)).toEqual([["fulfillment/1/f/a", 17n]]);
    expect(run.plan.tierSpend).toEqual({ minor: 1666n, creditedAt: minute(2) });
  });

  test("three decimals: 12.345 dinars at 1 point for 0.100 are 124 points", () => {
    const rules = { ...YEN_RULES, currency: "BHD" };
    const lines = [line("a", { price: 12_345, currency: "BHD" })];
    expect(short(runOrder([body(1, lines), shipped(2, "f", { a: 1 })], rules))).toEqual([["fulfillment/1/f/a", 124n]]);
  });

  test("tax on top, awarded apart: within one rounding", () => {
    // Net 1,005 yen -> 10.05 -> 11; with 101 yen of tax 11.06 -> 12: the tax part is 1.
    const rules = { ...YEN_RULES, separateTax: true };
    const lines = [line("a", { price: 1005, tax: 101 })];
    const run = runOrder([body(1, lines, { taxesIncluded: false }), shipped(2, "f", { a: 1 })], rules);
    expect(run.postings.map(({ key, type, pointValue }) => [key, type, pointValue])).toEqual([
      ["fulfillment/1/f/a", "fulfillment", 11n],
      ["tax/1/f/a", "tax", 1n],
    ]);
    expect(run.plan.pointsAwarded).toBe(12n);
  });

  test.each([
    ["prices hold the tax, tax earns", true, true, 11n],
    ["prices hold the tax, tax does not earn", true, false, 10n],
    ["tax on top earns", false, true, 12n],
    ["tax on top does not earn", false, false, 11n],
  ])("%s", (_name, taxesIncluded, includeTax, points) => {
    // 1,100 yen with 100 yen of tax: 1,100, 1,000, 1,200 or 1,100 yen.
    const lines = [line("a", { price: 1100, tax: 100 })];
    const run = runOrder([body(1, lines, { taxesIncluded })], { ...YEN_RULES, includeTax });
    expect(run.plan.awardablePoints).toBe(points);
  });

  test("award on payment: all lines at once, shipped or not", () => {
    const rules = { ...YEN_RULES, awardOn: "paid" as const };
    const run = runOrder(
      [body(1, [line("a", { price: 250 }), line("b", { price: 250 })]), shipped(2, "f", { a: 1 })],
      rules,
    );
    expect(short(run)).toEqual([
      ["paid/1/a", 3n],
      ["paid/1/b", 2n],
    ]);
    expect(run.postings[0]?.action).toBe(null);
  });

  test("bonuses are rounded apart from the rate; excluded products earn neither; an unknown product earns the rate", () => {
    // Rate: 150 + 250 = 400 yen -> 4. Bonus at 2 for 100 on 150 yen -> 3. The excluded line's 999 yen count as spend only.
    const rules = {
      ...YEN_RULES,
      bonuses: new Map([
        ["c1", { pointValue: 1n, currencyValue: 100n }],
        ["c2", { pointValue: 2n, currencyValue: 100n }],
      ]),
    };
    const products = new Map([
      ["p1", { tags: [], collections: ["c1", "c2"] }],
      ["p2", { tags: ["No-Points"], collections: ["c2"] }],
    ]);
    const lines = [
      line("a", { price: 150, productId: "p1" }),
      line("b", { price: 999, productId: "p2" }),
      line("c", { price: 250, productId: "p3" }),
    ];
    const run = runOrder([body(1, lines), shipped(2, "f", { a: 1, b: 1, c: 1 })], rules, { products });
    expect([run.plan.awardablePoints, run.plan.pointsAwarded, run.plan.tierSpend?.minor]).toEqual([7n, 7n, 1399n]);
    // What was known at first holds: a product that becomes excluded later changes nothing.
    const later = new Map([["p3", { tags: ["no-points"], collections: [] }]]);
    expect(planAgain(run, { products: later }).plan).toMatchObject({ awardablePoints: 7n, postings: [] });
  });

  test.each([
    ["a test order", body(1, [line("a", { price: 1000 })], { test: true }), YEN_RULES],
    ["another currency", body(1, [line("a", { price: 1000, currency: "USD" })]), YEN_RULES],
    ["an excluded customer", body(1, [line("a", { price: 1000 })]), { ...YEN_RULES, isCustomerExcluded: true }],
  ])("%s earns nothing", (_name, event, rules) => {
    const { plan } = runOrder([event, shipped(2, "f", { a: 1 })], rules);
    expect(plan).toMatchObject({ awardablePoints: 0n, pointsAwarded: 0n, postings: [], tierSpend: null });
  });

  test("pending: posted when its days are over in the store's zone, and told when that is", () => {
    const rules = { ...YEN_RULES, pendingDays: 3 };
    const events = [body(1, [line("a", { price: 1000 })]), shipped(2, "f", { a: 1 })];
    const early = runOrder(events, rules, { now: minute(2) });
    expect([early.plan.pendingUntil, short(early)]).toEqual([minute(2 + 3 * 1440), []]);
    const due = planAgain(early, { now: minute(2 + 3 * 1440) });
    expect([due.plan.pendingUntil, short(due)]).toEqual([null, [["fulfillment/1/f/a", 10n]]]);
  });

  test("a cancelled shipment takes its share back; shipping again gives it again", () => {
    const lines = [line("a", { price: 1000 })];
    const run = runOrder(
      [body(1, lines), shipped(2, "f", { a: 1 }), shipped(2, "f", { a: 1 }, "cancelled", 3), shipped(4, "g", { a: 1 })],
      YEN_RULES,
    );
    expect(short(run)).toEqual([
      ["fulfillment/1/f/a", 10n],
      ["adjust/1/1", -10n],
      ["fulfillment/1/g/a", 10n],
    ]);
    expect(run.postings[1]).toMatchObject({ type: "refund", shortfall: "cap", drawsOwnLots: true });
  });
});

describe("orders of many lines", () => {
  const count = 200;
  const lines = Array.from({ length: count }, (_, n) => line(`l${n}`, { price: 1000, quantity: 2 }));
  const back = refund(3, "r", { lines: lines.map(({ lineId }) => [lineId, 1, 1000] as const), moved: 1000 * count });
  const units = Object.fromEntries(lines.map(({ lineId }) => [lineId, 2]));
  const { facts } = runOrder([body(1, lines, { refunds: [back] }), shipped(2, "f", units)], YEN_RULES);

  /** Copies of lines, and how often the id of any of them was read. */
  function counted<Line extends { readonly lineId: string }>(plain: readonly Line[]) {
    let reads = 0;
    const copies = plain.map((one) => ({
      ...one,
      get lineId() {
        reads++;
        return one.lineId;
      },
    }));
    return { copies, reads: () => reads };
  }

  test("shipments look their lines up, and do not search all lines for each", () => {
    const remains = remainsOf(facts, facts.refunds);
    const { copies, reads } = counted(earningLines(facts, YEN_RULES, remains));
    const shares = splitAward(shipmentsOf(facts, YEN_RULES), { lines: copies, remains }, YEN_RULES);
    expect(shares.reduce((total, { goods }) => total + goods, 0n)).toBe(2000n);
    expect(reads()).toBeLessThan(10 * count);
  });

  test("so do lines of refunds", () => {
    const { copies, reads } = counted(facts.stated.lines ?? []);
    const remains = remainsOf({ ...facts, stated: { ...facts.stated, lines: copies } }, facts.refunds);
    expect(remains.get("l7")?.keptQuantity).toBe(1);
    expect(reads()).toBeLessThan(10 * count);
  });
});
