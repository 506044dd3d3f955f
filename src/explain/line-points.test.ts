import fc from "fast-check";
import { expect, test } from "vitest";
import { STORIES } from "../../test/fixtures/stories/all.ts";
import { body, cancelled, line, refunded, shipped } from "../../test/support/order-events.ts";
import { YEN_RULES } from "../../test/support/order-rules.ts";
import { runOrder } from "../../test/support/run-order.ts";
import { storyEvents } from "../../test/support/story-events.ts";
import { linePoints } from "./line-points.ts";

test.each(STORIES)("$name: what lines were given and lost adds up to what was posted", (story) => {
  const rules = { ...YEN_RULES, currency: story.currency };
  const events = storyEvents(story);
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
      const run = runOrder(shuffled, rules);
      const objects = new Map(run.postings.map(({ key, object }) => [key, object]));
      const posted = run.rows.map((row) => ({ ...row, object: objects.get(row.cause) ?? null }));
      const lines = [...linePoints({ facts: run.facts, rules, posted }).values()];
      const own = posted.filter(({ cause }) => !cause.startsWith("coupon_return/"));
      const given = own.reduce((sum, { taken }) => sum + (taken > 0n ? taken : 0n), 0n);
      const taken = own.reduce((sum, { taken: points }) => sum + (points < 0n ? points : 0n), 0n);
      expect(lines.reduce((sum, line) => sum + line.given, 0n)).toBe(given);
      expect(lines.reduce((sum, line) => sum + line.taken, 0n)).toBe(taken);
    }),
    { numRuns: 40 },
  );
});

test("an exchange takes the points of the line that was returned, whatever the rounding", () => {
  for (const rounding of ["up", "down", "half_up"] as const) {
    const rules = { ...YEN_RULES, rounding };
    const [old, kept] = [line("a", { price: 4_000 }), line("b", { price: 1_050 })];
    const events = [
      body(1, [old, kept]),
      shipped(2, "f", { a: 1, b: 1 }),
      body(3, [{ ...old, currentQuantity: 0 }, kept, line("c", { price: 4_600 })]),
      refunded(4, "R", { lines: [["a", 1, 4_000]], moved: 0 }),
      shipped(5, "g", { c: 1 }),
    ];
    const run = runOrder(events, rules);
    const objects = new Map(run.postings.map(({ key, object }) => [key, object]));
    const posted = run.rows.map((row) => ({ ...row, object: objects.get(row.cause) ?? null }));
    const { a, b } = Object.fromEntries(linePoints({ facts: run.facts, rules, posted }));
    expect([a, b?.taken], rounding).toEqual([{ given: 40n, taken: -40n }, 0n]);
  }
});

test("an exchange takes the points of the line that was returned, also if another line is refunded later", () => {
  const [old, kept] = [line("a", { price: 4_000 }), line("b", { price: 1_000 })];
  const events = [
    body(1, [old, kept]),
    shipped(2, "f", { a: 1, b: 1 }),
    body(3, [{ ...old, currentQuantity: 0 }, kept, line("c", { price: 4_000 })]),
    refunded(4, "R", { lines: [["a", 1, 4_000]], moved: 0 }),
    shipped(5, "g", { c: 1 }),
    refunded(6, "R2", { lines: [["b", 1, 1_000]], moved: 1_000 }),
  ];
  const run = runOrder(events, YEN_RULES);
  const objects = new Map(run.postings.map(({ key, object }) => [key, object]));
  const posted = run.rows.map((row) => ({ ...row, object: objects.get(row.cause) ?? null }));
  expect(Object.fromEntries(linePoints({ facts: run.facts, rules: YEN_RULES, posted }))).toEqual({
    a: { given: 40n, taken: -40n },
    b: { given: 10n, taken: -10n },
    c: { given: 40n, taken: 0n },
  });
});

test("a refund is the loss of the line that was refunded, a cancellation of what each still had", () => {
  const lines = [line("a", { price: 3_000 }), line("b", { price: 1_000 }), line("c", { price: 500 })];
  const events = [
    body(1, lines),
    shipped(2, "f", { a: 1, b: 1, c: 1 }),
    refunded(5, "R", { lines: [["b", 1, 1_000]], moved: 1_000 }),
    cancelled(9),
  ];
  const run = runOrder(events, YEN_RULES);
  const objects = new Map(run.postings.map(({ key, object }) => [key, object]));
  const posted = run.rows.map((row) => ({ ...row, object: objects.get(row.cause) ?? null }));
  expect(Object.fromEntries(linePoints({ facts: run.facts, rules: YEN_RULES, posted }))).toEqual({
    a: { given: 30n, taken: -30n },
    b: { given: 10n, taken: -10n },
    c: { given: 5n, taken: -5n },
  });
});
