import { describe, expect, test } from "vitest";
import { body, line, minute, refunded, shipped } from "../../../test/support/order-events.ts";
import { YEN_RULES } from "../../../test/support/order-rules.ts";
import { runOrder } from "../../../test/support/run-order.ts";

const LINES = [line("a", { price: 1000, quantity: 2 }), line("t", { price: 300, kind: "tip" })];
const spendOf = (...args: Parameters<typeof runOrder>) => runOrder(...args).plan.tierSpend;

describe("tier spend", () => {
  test("is credited when the last unit that ships has, or when payment comes later", () => {
    const half = [body(1, LINES, { paid: false }), shipped(3, "f", { a: 1 })];
    expect(spendOf(half, YEN_RULES)).toBe(null);
    const whole = [...half, shipped(5, "g", { a: 1 })];
    expect(spendOf(whole, YEN_RULES)).toBe(null);
    expect(spendOf([...whole, body(9, LINES)], YEN_RULES)).toEqual({ minor: 2000n, creditedAt: minute(9) });
    expect(spendOf([body(1, LINES), ...whole.slice(1)], YEN_RULES)).toEqual({ minor: 2000n, creditedAt: minute(5) });
  });

  test.each([
    ["paid", minute(4)],
    ["processed", minute(0)],
  ] as const)("or at its %s time", (spendAt, creditedAt) => {
    expect(spendOf([body(4, LINES)], { ...YEN_RULES, spendAt })).toEqual({ minor: 2000n, creditedAt });
  });

  test.each(["return", "no_restock", "cancel"] as const)("a refund (%s) lowers it at that same time", (restock) => {
    const events = [body(1, LINES), shipped(3, "f", { a: 1 }), shipped(5, "g", { a: 1 })];
    const back = refunded(8, "r", { lines: [["a", 1, 1000, 0, restock]], moved: 1000 });
    expect(spendOf([...events, back], YEN_RULES)).toEqual({ minor: 1000n, creditedAt: minute(5) });
  });
});
