import type { Rounding } from "./ratio.ts";

/** The program of a life in plain numbers, and the document that sets it. */

/** So many points for so many minor units. */
export interface Rate {
  readonly points: bigint;
  readonly minor: bigint;
}

export interface Program {
  readonly currency: "JPY" | "USD" | "BHD";
  readonly rounding: Rounding;
  readonly includeTax: boolean;
  readonly separateTax: boolean;
  readonly awardOn: "paid" | "paid_and_fulfilled";
  readonly pendingDays: number;
  readonly spendAt: "fulfilled" | "paid" | "processed";
  readonly shortfall: "cap" | "owe" | "refuse";
  readonly reimbursesParts: boolean;
  /** Minor units that a point of a coupon is worth. */
  readonly pointWorth: bigint;
  readonly excludesStaff: boolean;
  readonly base: Rate;
  /** By rank; null: that of `base`. */
  readonly tiers: readonly (Rate | null)[];
  /** It runs for two days from the first. By rank, where the tier has a rate of its own. */
  readonly campaign: { readonly rate: Rate; readonly byRank: readonly (Rate | null)[] } | null;
  /** Of the collections, in their order; null: no bonus. */
  readonly bonuses: readonly (Rate | null)[];
}

export const TIME_ZONE = "Asia/Tokyo";
export const TIERS = ["Bronze", "Silver", "Gold"] as const;
export const COLLECTIONS = ["c1", "c2"] as const;
export const EXCLUDED_PRODUCT_TAG = "outlet";
export const EXCLUDED_CUSTOMER_TAG = "staff";
const CAMPAIGN_HOURS = { from: 24, to: 72 };

/** What a tier earns by on orders processed at a time (program.md 4, Rate); `start`: the beginning of the life. */
export function rateAt(program: Program, rank: number, start: Temporal.Instant, at: Temporal.Instant): Rate {
  const { from, to } = campaignTimes(start);
  const { campaign } = program;
  if (campaign !== null && !isBefore(at, from) && isBefore(at, to)) return campaign.byRank[rank] ?? campaign.rate;
  return program.tiers[rank] ?? program.base;
}

export function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}

function campaignTimes(start: Temporal.Instant) {
  return { from: start.add({ hours: CAMPAIGN_HOURS.from }), to: start.add({ hours: CAMPAIGN_HOURS.to }) };
}

export function documentOf(program: Program, start: Temporal.Instant): object {
  const { from, to } = campaignTimes(start);
  const { campaign } = program;
  return {
    store: { name: "Lives", currency: program.currency, time_zone: TIME_ZONE },
    earning: {
      ...rateDocument(program.base),
      ...{ rounding: program.rounding, include_tax: program.includeTax, separate_tax: program.separateTax },
      ...{ award_on: program.awardOn, pending_days: program.pendingDays },
      excluded_product_tags: [EXCLUDED_PRODUCT_TAG],
      excluded_customer_tags: program.excludesStaff ? [EXCLUDED_CUSTOMER_TAG] : [],
      bonus_collections: COLLECTIONS.flatMap((collection_id, n) => {
        const bonus = program.bonuses[n] ?? null;
        return bonus === null ? [] : [{ collection_id, ...rateDocument(bonus) }];
      }),
    },
    campaigns:
      campaign === null
        ? []
        : [
            {
              ...{ name: "Two days", starts_at: from.toString(), ends_at: to.toString() },
              ...rateDocument(campaign.rate),
              by_tier: Object.fromEntries(
                TIERS.flatMap((name, rank) => {
                  const rate = campaign.byRank[rank] ?? null;
                  return rate === null ? [] : [[name, rateDocument(rate)]];
                }),
              ),
            },
          ],
    tiers: {
      spend_at: program.spendAt,
      rules: TIERS.map((name, rank) => {
        const rate = program.tiers[rank] ?? null;
        const own = rate === null ? { point_value: null, currency_value: null } : rateDocument(rate);
        return { name, default: rank === 0, currency_spent_requirement: rank * 1_000_000_000, ...own };
      }),
    },
    expiration: { delay_months: null },
    refunds: { shortfall: program.shortfall, reimburse_coupons_on_partial: program.reimbursesParts },
    coupons: { point_worth: Number(program.pointWorth) },
  };
}

function rateDocument({ points, minor }: Rate): object {
  return { point_value: Number(points), currency_value: Number(minor) };
}
