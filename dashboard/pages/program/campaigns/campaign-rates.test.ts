import fc from "fast-check";
import { expect, test } from "vitest";
import { factorOf, lossesOf, multipliedRates, type RatedDocument } from "./campaign-rates.ts";

const rule = (name: string, point_value: number | null, currency_value: number | null = null) => ({
  uid: `uid-${name}`,
  name,
  default: name === "Regular",
  currency_spent_requirement: 0,
  point_value,
  currency_value,
});
const STORE: RatedDocument = {
  earning: { point_value: 1, currency_value: 100 },
  tiers: { rules: [rule("Regular", null), rule("Silver", 2), rule("Gold", 3), rule("Platinum", 5)] },
};

test("2 for everybody takes points from Gold and Platinum, and doubling takes them from nobody", () => {
  const flat = { point_value: 2, currency_value: 100, by_tier: {} };
  expect(lossesOf(STORE, flat).map(({ name }) => name)).toEqual(["Gold", "Platinum"]);
  expect(factorOf(STORE, flat)).toBeNull();
  const doubled = multipliedRates(STORE, 2);
  expect(doubled).toEqual({
    point_value: 2,
    currency_value: 100,
    by_tier: {
      "uid-Regular": { point_value: 2, currency_value: 100 },
      "uid-Silver": { point_value: 4, currency_value: 100 },
      "uid-Gold": { point_value: 6, currency_value: 100 },
      "uid-Platinum": { point_value: 10, currency_value: 100 },
    },
  });
  expect(lossesOf(STORE, doubled)).toEqual([]);
});

test("half points more are whole points for more money", () => {
  const { by_tier } = multipliedRates(STORE, 1.5);
  expect(by_tier["uid-Gold"]).toEqual({ point_value: 9, currency_value: 200 });
});

test("of any program, any factor is found again, and takes points exactly where it is below 1", () => {
  const points = fc.integer({ min: 1, max: 1_000 });
  const money = fc.integer({ min: 1, max: 100_000 });
  const tiers = fc.array(fc.tuple(fc.option(points), fc.option(money)), { minLength: 1, maxLength: 6 });
  const factor = fc.integer({ min: 1, max: 2_000 }).map((parts) => parts / 100);
  fc.assert(
    fc.property(points, money, tiers, factor, (point_value, currency_value, rates, by) => {
      const rules = rates.map(([tierPoints, tierMoney], n) => rule(`Tier ${n}`, tierPoints, tierMoney));
      const document = { earning: { point_value, currency_value }, tiers: { rules } };
      const campaign = multipliedRates(document, by);
      expect(factorOf(document, campaign)).toBe(by);
      expect(lossesOf(document, campaign)).toHaveLength(by < 1 ? rules.length : 0);
    }),
  );
});
