import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Problem } from "../../../src/problems.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { type StoryService, startStory } from "../../support/story.ts";

let story: StoryService;
let year: number;

/** A time of the store's first whole year. */
const at = (rest: string) => `${year}-${rest}+09:00`;

beforeAll(async () => {
  story = await startStory({ store: { currency: "JPY", time_zone: "Asia/Tokyo" } });
  year = story.firstYear;
  await story.goTo(at("01-01T00:00:00"));
  await apply({
    earning: {
      bonus_collections: [
        { collection_id: "teas", point_value: 5, starts_at: at("03-01T00:00:00"), ends_at: at("04-01T00:00:00") },
      ],
    },
    tiers: {
      rules: [
        { name: "Bronze", currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
        { name: "Gold", currency_spent_requirement: 100_000, point_value: 3, currency_value: 100 },
        { name: "Black", currency_spent_requirement: 900_000, point_value: 4, currency_value: 100 },
      ],
    },
    campaigns: [campaign("Spring", "02-01T00:00:00", "02-08T00:00:00", { Gold: { point_value: 10 } })],
  });
  await story.customer("1");
  await story.customer("2");
  await story.customer("3");
  for (const [id, tier] of [
    ["2", "Gold"],
    ["3", "Black"],
  ]) {
    const body = { tier, minimum_tier: tier };
    expect((await story.client.post(`/api/storefront/point_balances/${id}/tiers`, body)).status).toBe(200);
  }
});
afterAll(() => story.stop());

function campaign(name: string, from: string, to: string, byTier: object = {}) {
  return { name, starts_at: at(from), ends_at: at(to), point_value: 2, currency_value: 100, by_tier: byTier };
}

function apply(document: object) {
  return applyProgram(story.deps, { document, author: "test", isDryRun: false });
}

async function earn(customerId: string, instant: string, productId?: string): Promise<number> {
  const before = await story.balance(customerId);
  await story.order(customerId, at(instant), 1_000, productId);
  return (await story.balance(customerId)) - before;
}

async function shownCampaign(): Promise<unknown[]> {
  const { body } = await story.client.get("/api/storefront/tiers");
  return body.data.map((rule: Record<string, unknown>) => rule.campaign_point_value);
}

describe("a campaign", () => {
  test("starts and stops by itself: its rate, and its rate by tier, in place of the tier's", async () => {
    expect(await earn("1", "01-31T23:59:59")).toBe(10);
    expect(await earn("2", "01-31T23:59:59")).toBe(30);
    expect(await shownCampaign()).toEqual([null, 10, null]);
    expect(await earn("1", "02-01T00:00:00")).toBe(20);
    expect(await earn("2", "02-01T00:00:00")).toBe(100);
    expect(await earn("3", "02-01T00:00:00")).toBe(20);
    expect(await earn("2", "02-07T23:59:59")).toBe(100);
    expect(await earn("2", "02-08T00:00:00")).toBe(30);
    expect(await earn("3", "02-08T00:00:01")).toBe(40);
    expect(await shownCampaign()).toEqual([null, null, null]);
  });

  test("of then counts for an order that is told of after its end", async () => {
    await story.goTo(at("02-10T00:00:00"));
    const before = await story.balance("2");
    const processed = at("02-05T12:00:00");
    await story.send("OrderPaid", processed, {
      order_id: "late",
      customer_id: "2",
      processed_at: processed,
      paid_at: processed,
      financial_status: "paid",
      shop_currency: "JPY",
      taxes_included: true,
      lines: [{ line_id: "l", quantity: 1, unit_price: { minor: 500, currency: "JPY" } }],
      fulfillments: [{ fulfillment_id: "late-f", status: "success", lines: [{ line_id: "l", quantity: 1 }] }],
    });
    expect((await story.balance("2")) - before).toBe(50);
  });

  test("that overlaps another is refused, naming both; one that follows at once is not", async () => {
    const spring = campaign("Spring", "02-01T00:00:00", "02-08T00:00:00");
    const faults = async (other: object) =>
      apply({ campaigns: [spring, other] }).then(
        () => [],
        (error: unknown) => (error instanceof Problem ? error.faults : [String(error)]),
      );
    expect(await faults(campaign("Valentine", "02-07T23:59:59", "02-15T00:00:00"))).toEqual([
      { pointer: "/campaigns/1/starts_at", detail: expect.stringMatching(/"Valentine".*"Spring"/) },
    ]);
    expect(await faults(campaign("Long", "01-01T00:00:00", "12-31T00:00:00"))).toHaveLength(1);
    expect(await faults(campaign("Next", "02-08T00:00:00", "02-15T00:00:00"))).toEqual([]);
  });
});

test("a bonus collection adds its rate between its start and its end", async () => {
  await story.send("ProductUpserted", at("02-20T00:00:00"), { product_id: "sencha", collections: ["teas"] });
  expect(await earn("1", "02-28T23:59:59", "sencha")).toBe(10);
  expect(await earn("1", "03-01T00:00:00", "sencha")).toBe(10 + 50);
  expect(await earn("1", "03-01T00:00:00", "other")).toBe(10);
  expect(await earn("1", "03-31T23:59:59", "sencha")).toBe(10 + 50);
  expect(await earn("1", "04-01T00:00:00", "sencha")).toBe(10);
});
