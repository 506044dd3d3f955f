import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { adjustmentExcess, fileExcess, type Limits, movedAlike, NOTHING_MOVED, needsApproval } from "./allowance.ts";

describe("an allowance", () => {
  test("needs a second person above the limit, in both directions alike, with what the person moved before", () => {
    const value = fc.bigInt({ min: -1_000n, max: 1_000n });
    const most = fc.bigInt({ min: 0n, max: 1_000n });
    fc.assert(
      fc.property(value, most, most, (points, limit, earlier) => {
        expect(needsApproval(limit, points, earlier)).toBe(needsApproval(limit, -points, earlier));
        expect(needsApproval(limit, points, 0n)).toBe(points > limit || -points > limit);
        expect(needsApproval(limit + earlier, points, earlier)).toBe(needsApproval(limit, points, 0n) && points !== 0n);
        expect(needsApproval(null, points, earlier)).toBe(false);
      }),
    );
    expect(movedAlike({ given: 3n, taken: 5n }, 1n)).toBe(3n);
    expect(movedAlike({ given: 3n, taken: 5n }, -1n)).toBe(5n);
    expect(needsApproval(1n, 0n, 5n)).toBe(false);
  });

  test("of all customers holds beside that of one, an adjustment counting as a file of one row", () => {
    const most = fc.bigInt({ min: 0n, max: 100n });
    const limit = fc.option(most);
    const moved = fc.record({ given: most, taken: most });
    const points = fc.bigInt({ min: -100n, max: 100n });
    fc.assert(
      fc.property(limit, limit, points, moved, moved, (approvalLimit, dailyLimit, value, customer, others) => {
        const limits: Limits = { approvalLimit, dailyLimit };
        const day = { given: customer.given + others.given, taken: customer.taken + others.taken };
        const excess = adjustmentExcess(limits, value, { customer, day });
        const added = value > 0n ? value : -value;
        const isOverCustomer =
          value !== 0n && approvalLimit !== null && added + movedAlike(customer, value) > approvalLimit;
        const isOverDay = value !== 0n && dailyLimit !== null && added + movedAlike(day, value) > dailyLimit;
        expect(excess).toBe(isOverCustomer ? "customer" : isOverDay ? "day" : null);
        const total = value > 0n ? { given: value, taken: 0n } : { given: 0n, taken: -value };
        const largest = value === 0n ? 0n : added + movedAlike(customer, value);
        expect(fileExcess(limits, { total, largest }, day)).toBe(excess);
      }),
    );
  });

  test("of a file counts what it gives and what it takes each for itself", () => {
    const limits: Limits = { approvalLimit: null, dailyLimit: 10n };
    const file = (given: bigint, taken: bigint) => ({ total: { given, taken }, largest: 0n });
    expect(fileExcess(limits, file(10n, 10n), NOTHING_MOVED)).toBeNull();
    expect(fileExcess(limits, file(11n, 0n), NOTHING_MOVED)).toBe("day");
    expect(fileExcess(limits, file(0n, 6n), { given: 0n, taken: 5n })).toBe("day");
    expect(fileExcess(limits, file(10n, 0n), { given: 0n, taken: 50n })).toBeNull();
  });
});
