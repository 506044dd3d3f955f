import fc from "fast-check";
import { expect, test } from "vitest";
import { STORIES } from "../../test/fixtures/stories/all.ts";
import { body, line, shipped } from "../../test/support/order-events.ts";
import { YEN_RULES } from "../../test/support/order-rules.ts";
import { runOrder } from "../../test/support/run-order.ts";
import { storyEvents } from "../../test/support/story-events.ts";
import { orderExplanation } from "./order-explanation.ts";
import type { PostedCause } from "./order-queries.ts";

const receivedAt = Temporal.Instant.from("2026-03-05T00:00:00Z");

test("a posting of an order of very many lines is explained by few readings of the others", () => {
  const count = 500;
  let readings = 0;
  const lines = Array.from({ length: count }, (_, n) => line(`${n}`, { price: 1_000 }));
  const units = Object.fromEntries(lines.map(({ lineId }) => [lineId, 1]));
  const run = runOrder([body(1, lines), shipped(2, "f", units)], YEN_RULES);
  const posted = postedOf(run.rows).map((row) => ({
    ...row,
    get cause() {
      readings++;
      return row.cause;
    },
  }));
  const row = posted.find(({ uid }) => uid === `${count / 2}`);
  if (row === undefined) throw new Error("each line has a posting");
  readings = 0;
  const { step, isReproduced } = orderExplanation({ facts: run.facts, rules: YEN_RULES, posted }, row);
  expect([step.after - step.before, isReproduced]).toEqual([10n, true]);
  expect(readings).toBeLessThan(20 * count);
});

function postedOf(rows: readonly { cause: string; requested: bigint; taken: bigint }[]): PostedCause[] {
  return rows.map((row, n): PostedCause => {
    const isWritten = row.requested !== 0n;
    const allottedAt = isWritten ? receivedAt.add({ microseconds: n }) : null;
    return { ...row, result: isWritten ? "posted" : "settled", uid: isWritten ? `${n}` : null, allottedAt };
  });
}

test.each(STORIES)("$name: whatever the order of its events, the steps add up to what was asked", (story) => {
  const rules = { ...YEN_RULES, currency: story.currency };
  const shuffled = fc.shuffledSubarray(storyEvents(story), { minLength: storyEvents(story).length });
  fc.assert(
    fc.property(shuffled, (events) => {
      const run = runOrder(events, rules);
      const posted = postedOf(run.rows);
      for (const row of posted.filter(({ uid }) => uid !== null)) {
        const { step, isReproduced, lines } = orderExplanation({ facts: run.facts, rules, posted }, row);
        expect(lines).toHaveLength(run.facts.stated.lines?.length ?? 0);
        expect({ cause: row.cause, points: step.after - step.before, isReproduced }).toEqual({
          cause: row.cause,
          points: row.requested,
          isReproduced: true,
        });
      }
    }),
    { numRuns: 60 },
  );
});
