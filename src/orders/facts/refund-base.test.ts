import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  body,
  type LineSpec,
  line,
  minute,
  money,
  type RefundSpec,
  refund,
  shipped,
} from "../../../test/support/order-events.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { runOrder } from "../../../test/support/run-order.ts";
import type { OrderRefunded, RefundFact } from "../../platforms/neutral-events.ts";
import { mergeFacts } from "./merge-facts.ts";
import { remainsOf } from "./refund-base.ts";

const awardable = (...events: Parameters<typeof runOrder>[0]) => runOrder(events, YEN_RULES).plan.awardablePoints;

describe("lines that were removed without money, and money that moved for them later", () => {
  const [bowl, cup] = [line("bowl", { price: 10_000 }), line("cup", { price: 8_000 })];
  const removal = refund(10, "edit", { lines: [["bowl", 1, 10_000, 0, "cancel"]], moved: 0 });
  const back = refund(20, "money", { lines: [], moved: 10_000 });
  const state = (at: number, refunds: readonly RefundFact[]) => body(at, [bowl, cup], { refunds });

  test("an order that is known from its payment on loses them once", () => {
    expect(awardable(state(1, []), state(10, [removal]), state(20, [removal, back]))).toBe(80n);
  });

  test("so does an order that becomes known long after, whose time of payment nobody knows", () => {
    expect(awardable(state(900, [removal, back]))).toBe(80n);
    expect(awardable(state(20, [removal, back]))).toBe(80n);
  });

  test("money that moves for an order that was edited before its payment is taken as well", () => {
    const unpaid = body(1, [bowl, cup], { paid: false });
    const paid = state(15, [removal]);
    expect(awardable(unpaid, paid, state(20, [removal, refund(20, "money", { moved: 1_000 })]))).toBe(70n);
  });
});

test("what is left of an order is what was paid less what was paid back, within a minor unit for each ordered unit", () => {
  const rules = { ...YEN_RULES, awardOn: "paid", spendAt: "paid" } as const;
  const int = (min: number, max: number) => fc.integer({ min, max });
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);
  const lines = fc.array(fc.record({ price: int(1, 500), quantity: int(1, 3) }), { minLength: 1, maxLength: 3 });
  const refunds = fc.array(fc.record({ n: fc.nat(2), units: int(0, 3), percent: int(1, 60) }), { maxLength: 4 });
  fc.assert(
    fc.property(lines, refunds, (specs, choices) => {
      const ordered = specs.map((spec, n) => line(`l${n}`, spec));
      const whole = sum(specs.map(({ price, quantity }) => price * quantity));
      const moneys = choices.map(({ percent }) => Math.ceil((whole * percent) / 100));
      const given = choices.map(({ n, units }, i) => {
        const [of, price] = [n % specs.length, specs[n % specs.length]?.price ?? 0];
        const moved = moneys[i] ?? 0;
        return refund(10 + i, `r${i}`, { lines: units === 0 ? [] : [[`l${of}`, units, price * units]], moved });
      });
      const { plan } = runOrder([body(30, ordered, { refunds: given })], rules);
      const left = Number(plan.tierSpend?.minor ?? 0n);
      const money = Math.max(0, whole - sum(moneys));
      expect(Math.abs(left - money)).toBeLessThanOrEqual(sum(specs.map(({ quantity }) => quantity)));
    }),
    { numRuns: 300 },
  );
});

/** Two units of 5.00 with 0.83 of tax, and one is refunded with 0.41 or 0.42 of it. */
describe("the tax of a part of the units is rounded", () => {
  const rules = { ...YEN_RULES, currency: "USD", awardOn: "paid", spendAt: "paid" } as const;
  const added = { price: 500, quantity: 2, tax: 83, currency: "USD" } as const;
  const contained = { ...added, price: 542, discounts: [["SALE", 1]] } as const;
  const state = (spec: LineSpec, [subtotal, tax]: readonly [number, number]) => {
    const taxesIncluded = spec === contained;
    const moved = subtotal + (taxesIncluded ? 0 : tax);
    const refunds = [refund(10, "r", { lines: [["bowl", 1, subtotal, tax]], moved, currency: "USD" })];
    return body(10, [line("bowl", spec)], { taxesIncluded, refunds });
  };
  const left = [state(added, [500, 41]), state(added, [500, 42]), state(contained, [541, 41])];

  test.each(["up", "down"] as const)(
    "and a base without tax falls by the price of the unit, rounded %s",
    (rounding) => {
      for (const event of left) {
        const { plan } = runOrder([event], { ...rules, rounding, includeTax: false });
        expect(plan).toMatchObject({ awardablePoints: 5n, tierSpend: { minor: 500n } });
      }
    },
  );

  test("whatever the prices, units and taxes, and whatever is refunded one after the other", () => {
    const words = fc.record({
      ...{ price: fc.integer({ min: 20, max: 9_999 }), quantity: fc.integer({ min: 1, max: 6 }) },
      ...{
        percent: fc.integer({ min: 6, max: 25 }),
        units: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }),
      },
    });
    fc.assert(
      fc.property(words, ({ price, quantity, percent, units }) => {
        const taxOf = (count: number) => Math.round((price * count * percent) / 100);
        const bowl = line("bowl", { price, quantity, tax: taxOf(quantity), currency: "USD" });
        let kept = quantity;
        const refunds = units.flatMap((count, n) => {
          if (count > kept) return [];
          kept -= count;
          const tax = taxOf(count);
          const words: RefundSpec = { lines: [["bowl", count, price * count, tax]], moved: price * count + tax };
          return [refund(10 + n, `r${n}`, { ...words, currency: "USD" })];
        });
        const { plan } = runOrder([body(20, [bowl], { taxesIncluded: false, refunds })], {
          ...rules,
          includeTax: false,
        });
        const left = BigInt(price * kept);
        expect([plan.awardablePoints, plan.tierSpend?.minor ?? 0n]).toEqual([(left + 99n) / 100n, left]);
      }),
    );
  });

  test("and tax that is awarded apart falls by the tax", () => {
    const perCent = { pointValue: 1n, currencyValue: 1n };
    const events = [body(1, [line("bowl", added)], { taxesIncluded: false }), state(added, [500, 41])];
    const { plan, postings } = runOrder(events, { ...rules, rate: perCent, separateTax: true });
    expect(postings.map(({ pointValue }) => pointValue)).toEqual([1_000n, 83n, -541n]);
    expect(plan).toMatchObject({ awardablePoints: 542n, tierSpend: { minor: 542n } });
  });
});

describe("an order of many refunds, in proportion and of lines in turn", () => {
  const lines = [line("bowl", { price: 999_999_937 }), line("cup", { price: 99_999_989 })];
  const refunds = Array.from({ length: 60 }, (_, n) =>
    n % 2 === 0
      ? refund(10 + n, `m${n}`, { lines: [], moved: 1_000_003 + n })
      : refund(10 + n, `l${n}`, { lines: [["cup", 0, 101 + n]], moved: 101 + n }),
  );

  const left = 1_099_999_926n - refunds.reduce((sum, { moneyMoved }) => sum + (moneyMoved?.minor ?? 0n), 0n);

  test("is computed with numbers that do not grow with each of them, and exactly where there are few", () => {
    const sizes = (count: number) => {
      const facts = mergeFacts(null, body(1, lines, { refunds: refunds.slice(0, count) }));
      return [...remainsOf(facts, facts.refunds).values()].map(({ money }) => money.den.toString(2).length);
    };
    for (const size of sizes(60)) expect(size).toBeLessThan(600);
    expect(Math.max(...sizes(20))).toBeGreaterThan(256);
    expect(awardable(body(1, lines, { refunds }))).toBe((left + 99n) / 100n);
  });

  test.each(["up", "down"] as const)("is rounded %s as exactly as others", (rounding) => {
    const rules = { ...YEN_RULES, rounding };
    const keeping = (kept: bigint) => {
      const last = refund(100, "last", { lines: [], moved: Number(left - kept) });
      return runOrder([body(1, lines, { refunds: [...refunds, last] })], rules).plan.awardablePoints;
    };
    expect([0n, 100n, 40_000n].map(keeping)).toEqual([0n, 1n, 400n]);
  });
});

describe("lines that were exchanged", () => {
  const order = body(1, [line("bowl", { price: 10_000 }), line("cup", { price: 6_000 })]);
  const words = { lines: [["bowl", 1, 10_000] as const], moved: 4_000 };
  const alone = refund(10, "r", words);
  const credited = { ...alone, credited: money(6_000) };
  const copies = (...refunds: readonly RefundFact[]) =>
    refunds.map((one, n) => ({ ...order, payload: { ...order.payload, updatedAt: minute(20 + n), refunds: [one] } }));

  test("are given back in full, and the new line earns", () => {
    expect(awardable(order, ...copies(credited), shipped(30, "f", { bowl: 1, cup: 1 }))).toBe(60n);
    expect(awardable(order, ...copies(alone), shipped(30, "f", { bowl: 1, cup: 1 }))).toBe(120n);
  });

  test("a message alone says that it is of a return: the order says what that is worth, whichever comes first", () => {
    const said = { orderId: "1", refund: { ...alone, isOfReturn: true } };
    const message: OrderRefunded = { ...order, type: "OrderRefunded", payload: said };
    const events = [order, message, ...copies({ ...alone, moneyMoved: null }), shipped(30, "f", { bowl: 1, cup: 1 })];
    expect([events, events.toReversed()].map((each) => awardable(...each))).toEqual([60n, 60n]);
  });

  test("a credit is of the taxes too, where prices have none in them", () => {
    const taxed = (taxesIncluded: boolean) => {
      const lines = [line("bowl", { price: 10_000, tax: 800 }), line("cup", { price: 6_000, tax: 480 })];
      const one = { ...refund(10, "r", { lines: [["bowl", 1, 10_000, 800]], moved: 4_320 }), isOfReturn: true };
      const facts = mergeFacts(null, body(1, lines, { refunds: [one], taxesIncluded }));
      return [...remainsOf(facts, facts.refunds).values()].map(({ money: part }) => part.num);
    };
    expect([taxed(false), taxed(true)]).toEqual([
      [0n, 1n],
      [0n, 1n],
    ]);
  });

  test("the copy that knows the credit wins, whichever comes first", () => {
    for (const events of [copies(alone, credited), copies(credited, alone)]) {
      const facts = events.reduce<ReturnType<typeof mergeFacts> | null>(
        (known, event) => mergeFacts(known, event),
        null,
      );
      expect(facts?.refunds).toEqual([credited]);
    }
  });
});
