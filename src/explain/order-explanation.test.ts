import fc from "fast-check";
import { expect, test } from "vitest";
import { STORIES } from "../../test/fixtures/stories/all.ts";
import { YEN_RULES } from "../../test/support/order-rules.ts";
import { runOrder } from "../../test/support/run-order.ts";
import { storyEvents } from "../../test/support/story-events.ts";
import { orderExplanation } from "./order-explanation.ts";
import type { PostedCause } from "./order-queries.ts";

const receivedAt = Temporal.Instant.from("2026-03-05T00:00:00Z");

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
