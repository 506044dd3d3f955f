import { BONUS_COLLECTION, EXCLUDED_TAG } from "./season/catalogue.ts";
import type { EarningRate } from "./season/earning.ts";

export type TierName = "Bronze" | "Silver" | "Gold";

export const TIME_ZONE = "Asia/Tokyo";
export const CAMPAIGN = "Tea week";

/** Points per 100 yen during the campaign, by tier. */
const CAMPAIGN_POINTS: Readonly<Record<TierName, number>> = { Bronze: 2, Silver: 3, Gold: 5 };
const BONUS_POINTS = 1;
const CAMPAIGN_DAYS = 7;

/** The program of the demo's shop (program.md 9): three tiers, a campaign from `now`, a bonus on its best teas. */
export function demoProgram(now: Temporal.Instant): object {
  const campaignPoints = (tier: TierName) => ({ point_value: CAMPAIGN_POINTS[tier], currency_value: 100 });
  return {
    store: { name: "Demo tea shop", currency: "JPY", time_zone: TIME_ZONE },
    earning: {
      excluded_product_tags: [EXCLUDED_TAG],
      bonus_collections: [
        { collection_id: BONUS_COLLECTION, name: "Finest teas", point_value: BONUS_POINTS, currency_value: 100 },
      ],
    },
    campaigns: [
      {
        name: CAMPAIGN,
        starts_at: now.toString(),
        ends_at: now.add({ hours: 24 * CAMPAIGN_DAYS }).toString(),
        ...campaignPoints("Bronze"),
        by_tier: { Silver: campaignPoints("Silver"), Gold: campaignPoints("Gold") },
      },
    ],
    tiers: {
      rules: [
        { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
        { name: "Silver", default: false, currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
        { name: "Gold", default: false, currency_spent_requirement: 150_000, point_value: 3, currency_value: 100 },
      ],
    },
  };
}

/** The rate of orders before the campaign: the first program that is applied is valid for them, too. */
export const RATE_BEFORE: EarningRate = { points: 1n, bonus: BigInt(BONUS_POINTS), excludesTagged: true };

/** The rate of orders during the campaign. */
export function campaignRate(tier: TierName): EarningRate {
  return { points: BigInt(CAMPAIGN_POINTS[tier]), bonus: BigInt(BONUS_POINTS), excludesTagged: true };
}
