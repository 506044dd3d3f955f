import { expect, test } from "vitest";
import { body, line, refunded, shipped } from "../../test/support/order-events.ts";
import { YEN_RULES } from "../../test/support/order-rules.ts";
import { planAgain, runOrder } from "../../test/support/run-order.ts";
import { planOrderMove } from "./plan-order-move.ts";

test("an order that moves takes along what it has awarded, and later refunds go on from there", () => {
  const events = [body(1, [line("a", { price: 1000, quantity: 2 })]), shipped(2, "f", { a: 2 })];
  const run = runOrder([...events, refunded(3, "r", { lines: [["a", 1, 1000]], moved: 1000 })], YEN_RULES);
  const move = planOrderMove("1", YEN_RULES, run.rows);
  expect([move?.take, move?.give].map((posting) => [posting?.key, posting?.type, posting?.pointValue])).toEqual([
    ["adjust/1/1", "refund", -10n],
    ["adjust/1/2", "fulfillment", 10n],
  ]);
  const moved = [move?.take, move?.give].flatMap((posting) =>
    posting ? [{ cause: posting.key, wanted: posting.pointValue, taken: posting.pointValue }] : [],
  );
  const after = planAgain({ ...run, rows: [...run.rows, ...moved] }, {});
  expect([after.plan.postings, after.plan.pointsAwarded]).toEqual([[], 10n]);
});

test("an order that has awarded nothing has nothing to move", () => {
  expect(planOrderMove("1", YEN_RULES, [{ cause: "refund/r", wanted: 0n, taken: 0n }])).toBe(null);
});
