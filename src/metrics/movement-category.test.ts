import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALLOTMENT_TYPE_NAMES } from "../ledger/allotment-types.ts";
import {
  categoryPoints,
  movementCategoryOf,
  netPoints,
  noPoints,
  redemptionRate,
  type TypeSums,
} from "./movement-category.ts";

const count = fc.bigInt({ min: 0n, max: 10n ** 12n });
const sums: fc.Arbitrary<TypeSums> = fc.record({
  type: fc.constantFrom(...ALLOTMENT_TYPE_NAMES),
  gained: count,
  gains: count,
  taken: count,
  takes: count,
});

describe("flows", () => {
  test("a gain by an order is issued, a deduction by the interface spent; each other type has one flow both ways", () => {
    expect(movementCategoryOf("fulfillment", true)).toBe("issued");
    expect(movementCategoryOf("api", false)).toBe("spent");
    expect(movementCategoryOf("refund", true)).toBe("refunded");
    expect(movementCategoryOf("manual", false)).toBe("adjusted");
  });

  test("the flows of any sums together are all that moved", () => {
    fc.assert(
      fc.property(fc.array(sums), (list) => {
        const moved = list.reduce((sum, { gained, taken }) => sum + gained - taken, 0n);
        expect(netPoints(categoryPoints(list))).toBe(moved);
      }),
    );
  });

  test("what was taken is positive, adjustments are signed", () => {
    const none = { gains: 0n, takes: 0n };
    const points = categoryPoints([
      { type: "api", gained: 30n, taken: 12n, ...none },
      { type: "expiration", gained: 0n, taken: 5n, ...none },
      { type: "csv", gained: 1n, taken: 9n, ...none },
    ]);
    expect(points).toEqual({ ...noPoints(), issued: 30n, spent: 12n, expired: 5n, adjusted: -8n });
  });

  test("the redemption rate is spent by issued, to a hundredth of a per cent; of nothing issued there is none", () => {
    expect(redemptionRate({ ...noPoints(), issued: 300n, spent: 100n })).toBe(0.3333);
    expect(redemptionRate({ ...noPoints(), issued: 10n, spent: 25n })).toBe(2.5);
    expect(redemptionRate({ ...noPoints(), spent: 25n })).toBeNull();
  });
});
