import fc from "fast-check";
import { expect, test } from "vitest";
import { type BudgetedBody, createBodyBudget } from "./body-budget.ts";

test("never holds more than its bytes, and gives up the oldest bodies first, each once", () => {
  const steps = fc.array(fc.tuple(fc.nat(9), fc.constantFrom("take", "release"), fc.integer({ min: 1, max: 60 })));
  fc.assert(
    fc.property(steps, (given) => {
      const budget = createBodyBudget(100);
      const held = new Map<number, number>(); // by body, in the order of their beginning: what the budget should hold
      const gaveUp: number[] = [];
      const bodies = new Map<number, BudgetedBody>();
      for (const [body, step, bytes] of given) {
        const counted = bodies.get(body) ?? { heldBytes: 0, giveUp: () => void gaveUp.push(body) };
        if (!bodies.has(body)) {
          bodies.set(body, counted);
          budget.begin(counted);
          held.set(body, 0);
        }
        if (step === "release") {
          budget.end(counted);
          held.delete(body);
          continue;
        }
        const before = gaveUp.length;
        budget.take(counted, bytes);
        const expected: number[] = [];
        if (held.has(body)) held.set(body, (held.get(body) ?? 0) + bytes);
        for (const oldest of [...held.keys()]) {
          if ([...held.values()].reduce((sum, own) => sum + own, 0) <= 100) break;
          held.delete(oldest);
          expected.push(oldest);
        }
        expect(gaveUp.slice(before)).toEqual(expected);
      }
      expect(new Set(gaveUp).size).toBe(gaveUp.length);
    }),
  );
});
