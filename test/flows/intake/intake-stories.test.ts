import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { Message } from "../../../demo/payloads/platform-json.ts";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { STORIES } from "../../fixtures/stories/all.ts";
import type { Story } from "../../fixtures/stories/story.ts";
import { type IntakeService, storesByCurrency } from "../../support/intake.ts";

const PERMUTATIONS = 8;
const AFTER_ALL = "2026-05-01T00:00:00Z";

const stores = storesByCurrency(AFTER_ALL);
afterAll(() => stores.stop());

/** The same story of another order and customer: every id gets the run's number in front. */
function renumbered(story: Story, run: number): Story {
  const renumber = (text: string) => text.replace(/\d{12,}/g, (id) => `${run}${id}`);
  return {
    ...story,
    orderId: renumber(story.orderId),
    customerId: renumber(story.customerId),
    messages: story.messages.map(({ topic, body }) => ({ topic, body: renumber(body) })),
  };
}

async function deliverAll(service: IntakeService, messages: readonly Message[]): Promise<void> {
  for (const [n, { topic, body }] of messages.entries()) {
    const answer = await service.deliver(topic, body, { id: `delivery-${n}` });
    expect(answer.status).toBe(200);
  }
}

async function outcomeOf(service: IntakeService, story: Story) {
  const orders = await service.client.get(`/api/storefront/orders?ids=${story.orderId}`);
  const balance = await service.client.get(`/api/storefront/point_balance/${story.customerId}`);
  const [spend] = await service.deps.db.query<{ spend: bigint }>(
    "select coalesce(sum(spend_minor), 0)::bigint as spend from order_spend where order_id = $1",
    [story.orderId],
  );
  const { awardable_points, points_awarded } = orders.body.data[story.orderId];
  return { awardable_points, points_awarded, balance: balance.body.data.point_balance, spend: spend?.spend };
}

function expectedOf({ expected }: Story) {
  const points = Number(expected.points);
  return { awardable_points: points, points_awarded: points, balance: points, spend: expected.spend };
}

async function expectAllDone(service: IntakeService): Promise<void> {
  const stuck = await service.deps.db.query("select topic, subject, state, note from receipt where state <> 'done'");
  expect(stuck).toEqual([]);
}

describe("stories of an order, through the front door", () => {
  test.each(STORIES)("$name", async (story) => {
    const service = await stores.of(story.currency);
    await deliverAll(service, story.messages);
    await service.drain();
    await expectAllDone(service);
    expect(await outcomeOf(service, story)).toEqual(expectedOf(story));
  });

  test.each(STORIES)("$name: one message after the other has been processed", async (story) => {
    const service = await stores.of(story.currency);
    const again = renumbered(story, 1);
    for (const message of again.messages) {
      await deliverAll(service, [message]);
      await service.drain();
    }
    expect(await outcomeOf(service, again)).toEqual(expectedOf(again));
  });
});

describe("any order and repetition of a story's messages ends the same", () => {
  test.each(STORIES)("$name", async (story) => {
    const service = await stores.of(story.currency);
    const twice = [...story.messages.keys(), ...story.messages.keys()];
    const shuffles = fc.sample(fc.shuffledSubarray(twice, { minLength: twice.length }), PERMUTATIONS);
    const backwards = [...story.messages.keys()].reverse();
    const runs = [backwards, ...shuffles].map((order, n) => {
      const messages = (run: Story) => order.flatMap((at) => run.messages[at] ?? []);
      const run = renumbered(story, 10 + n);
      return { run, messages: messages(run), order };
    });
    await Promise.all(runs.map(({ messages }) => deliverAll(service, messages)));
    await Promise.all([processAllReceipts(service.deps), processAllReceipts(service.deps)]);
    await expectAllDone(service);
    for (const { run, order } of runs) {
      expect({ order, ...(await outcomeOf(service, run)) }).toEqual({ order, ...expectedOf(run) });
    }
  });
});

test("the ledger holds", async () => {
  for (const { deps } of await stores.all()) {
    const lines: string[] = [];
    const result = await verifyLedger(deps.db, (line) => lines.push(line), ORDER_CHECKS);
    expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
    expect(result.allotments).toBeGreaterThan(10);
  }
});
