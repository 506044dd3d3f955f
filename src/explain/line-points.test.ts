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
