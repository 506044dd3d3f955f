import fc from "fast-check";
import type { ModelOp, ModelRules } from "./model.ts";

/** A step of a history: how far the clock jumps before it, and what is asked. */
export interface Step {
  readonly afterHours: number;
  readonly op: ModelOp;
}

const op: fc.Arbitrary<ModelOp> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      value: fc.bigInt({ min: 1n, max: 60n }),
      cap: fc.boolean(),
      extends: fc.boolean(),
      ownDays: fc.option(fc.integer({ min: 1, max: 500 }), { freq: 4 }),
      drawFirst: fc.constant(null),
      earnedDaysAgo: fc.option(fc.integer({ min: 0, max: 400 }), { freq: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      value: fc.bigInt({ min: -90n, max: -1n }),
      cap: fc.boolean(),
      extends: fc.constant(false),
      ownDays: fc.constant(null),
      drawFirst: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("set" as const), balance: fc.bigInt({ min: 0n, max: 120n }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("give_back" as const),
      pick: fc.nat(5),
      share: fc.integer({ min: 1, max: 100 }),
    }),
  },
);

export const step: fc.Arbitrary<Step> = fc.record({
  afterHours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 48 }), fc.integer({ min: 24, max: 24 * 200 })),
  op,
});

export const rules: fc.Arbitrary<ModelRules> = fc.record({
  delayMonths: fc.constantFrom(null, 1, 3, 12),
  mode: fc.constantFrom("sliding" as const, "per_allotment" as const),
  timeZone: fc.constantFrom("Asia/Tokyo", "UTC", "America/New_York"),
  returnedDays: fc.constantFrom(1, 30),
});

export const START = Temporal.Instant.from("2026-01-31T09:30:00.123456Z");
