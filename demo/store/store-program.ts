import { BONUS_COLLECTION, EXCLUDED_TAG } from "../season/catalogue.ts";

export const TIME_ZONE = "Asia/Tokyo";
const CAMPAIGN_DAYS = 10;

/** Points per 100 yen, by tier. */
const TIER_POINTS = { レギュラー: 1, シルバー: 2, ゴールド: 3, プラチナ: 5 };

/** The program of the kept store, from its first day: four tiers, rewards, and double points each season until next year. */
export function storeProgram(firstDay: Temporal.PlainDate, lastDay: Temporal.PlainDate): object {
  const rate = (point_value: number) => ({ point_value, currency_value: 100 });
  const tier = (name: keyof typeof TIER_POINTS, requirement: number) => ({
    name,
    default: requirement === 0,
    currency_spent_requirement: requirement,
    ...rate(TIER_POINTS[name]),
  });
  return {
    store: { name: "茶房 若葉", currency: "JPY", time_zone: TIME_ZONE },
    earning: {
      excluded_product_tags: [EXCLUDED_TAG],
      bonus_collections: [{ collection_id: BONUS_COLLECTION, name: "特選茶", ...rate(1) }],
    },
    campaigns: campaigns(firstDay, lastDay).map((campaign) => ({
      ...campaign,
      ...rate(2),
      by_tier: Object.fromEntries(Object.entries(TIER_POINTS).map(([name, points]) => [name, rate(points * 2)])),
    })),
    tiers: {
      period_months: 3,
      window_months: 12,
      rules: [tier("レギュラー", 0), tier("シルバー", 30_000), tier("ゴールド", 80_000), tier("プラチナ", 150_000)],
    },
    expiration: { delay_months: 12, mode: "sliding" },
    coupons: { point_worth: 1, lifetime_hours: 24 * 14, grace_hours: 24 },
    rewards: { signup: 100, birthday: 300, marketing_opt_in: 50 },
    staff: { approval_limit: 5_000 },
  };
}

const SEASONS = [
  { month: 3, name: "新茶まつり" },
  { month: 6, name: "夏の冷茶フェア" },
  { month: 9, name: "秋の感謝祭" },
  { month: 12, name: "年末ポイントアップ" },
] as const;

function campaigns(first: Temporal.PlainDate, last: Temporal.PlainDate): object[] {
  const found = [];
  for (let year = first.year; year <= last.year + 1; year++) {
    for (const { month, name } of SEASONS) {
      const day = Temporal.PlainDate.from({ year, month, day: 10 });
      if (Temporal.PlainDate.compare(day, first) < 0) continue;
      const at = (date: Temporal.PlainDate) => date.toZonedDateTime(TIME_ZONE).toInstant().toString();
      found.push({
        name: `${name} ${year}`,
        starts_at: at(day),
        ends_at: at(day.add({ days: CAMPAIGN_DAYS })),
      });
    }
  }
  return found;
}
