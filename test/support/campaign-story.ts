import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { applyOrderEvent } from "../../src/orders/apply-order-event.ts";
import { aggregateSales } from "../../src/sales/aggregate-sales.ts";
import { body, line, shipped } from "./order-events.ts";
import { ofOrder } from "./order-flow.ts";
import type { TestService } from "./service.ts";

const rule = (name: string, requirement: number, points: number) => ({
  name,
  currency_spent_requirement: requirement,
  point_value: points,
  currency_value: 100,
});

/** A yen store in Tokyo with two tiers, a weekend of double points in February, a future one, and a bonus on teas. */
export const CAMPAIGN_PROGRAM = {
  store: { name: "Tea", currency: "JPY", time_zone: "Asia/Tokyo" },
  tiers: { rules: [rule("Regular", 0, 1), rule("Gold", 50_000, 3)] },
  earning: {
    bonus_collections: [
      {
        collection_id: "teas",
        name: "Fine teas",
        point_value: 5,
        starts_at: "2026-02-10T00:00:00+09:00",
        ends_at: "2026-02-20T00:00:00+09:00",
      },
    ],
  },
  campaigns: [
    {
      name: "Double weekend",
      starts_at: "2026-02-14T00:00:00+09:00",
      ends_at: "2026-02-16T00:00:00+09:00",
      point_value: 2,
      currency_value: 100,
      by_tier: { Gold: { point_value: 6, currency_value: 100 } },
    },
    {
      name: "Spring",
      starts_at: "2026-04-01T00:00:00+09:00",
      ends_at: "2026-04-08T00:00:00+09:00",
      point_value: 3,
      currency_value: 100,
    },
  ],
};

/** Orders on Saturday and Sunday of two weekends: two of 1,000 yen before the campaign, four of 3,000 during it, one of them of a Gold member. */
export async function buildCampaignStory({ deps, client, database }: TestService): Promise<void> {
  for (const id of ["1", "2", "3"])
    await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId: id, name: `Member ${id}` }));
  await client.post("/api/storefront/point_balances/3/tiers", { tier: "Gold" });
  await database.owner.query("update tier_change set changed_at = '2026-01-01'"); // Gold since before the campaign
  const orders = [
    ["b1", "1", "2026-02-07T10:00:00+09:00", 1_000],
    ["b2", "2", "2026-02-08T23:50:00+09:00", 1_000],
    ["c1", "1", "2026-02-14T00:00:00+09:00", 3_000],
    ["c2", "1", "2026-02-14T12:00:00+09:00", 3_000],
    ["c3", "3", "2026-02-15T12:00:00+09:00", 3_000],
    ["c4", null, "2026-02-15T23:59:00+09:00", 3_000],
  ] as const;
  for (const [id, customer, at, price] of orders) {
    const lines = [{ ...line("a", { price }), collections: id === "c1" ? ["teas"] : [] }];
    const processedAt = Temporal.Instant.from(at);
    for (const event of ofOrder(id, customer, [body(1, lines, { processedAt }), shipped(2, "f", { a: 1 })]))
      await deps.db.tx((tx) => applyOrderEvent(tx, deps, event));
  }
  await aggregateSales(deps);
}
