import { TIME_ZONE } from "./wallet-model.ts";

/** The store's program in plain numbers, and the documents that set it. */

/** So many points for so many yen. */
export interface Rate {
  readonly points: bigint;
  readonly yen: bigint;
}

export interface Campaign {
  readonly name: string;
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly rate: Rate;
  /** By rank, where the tier has a rate of its own. */
  readonly byTier: Readonly<Record<number, Rate>>;
}

export interface Terms {
  /** January of the first of the three years. */
  readonly firstYear: number;
  readonly campaigns: readonly Campaign[];
  /** When the delay becomes shorter and Gold's rate higher. */
  readonly changedAt: Temporal.Instant;
}

export const TIERS = ["Bronze", "Silver", "Gold"] as const;
export const REQUIREMENTS: readonly bigint[] = [0n, 30_000n, 100_000n];
export const PERIOD_MONTHS = 3;
export const WINDOW_MONTHS = 12;
export const BONUS_POINTS_PER_100 = 1n;
export const BONUS_COLLECTION = "77";
export const EXCLUDED_TAG = "no-points";
export const DELAY_MONTHS = { before: 12, after: 6 };
export const REWARDS = { signup: 100n, optIn: 30n, birthday: 200n };
export const COUPON_HOURS = 24 + 24;

const RATES = {
  before: [rate(1n, 100n), rate(3n, 200n), rate(3n, 100n)],
  after: [rate(1n, 100n), rate(3n, 200n), rate(4n, 100n)],
} as const;

function rate(points: bigint, yen: bigint): Rate {
  return { points, yen };
}

/** A time of the store in the n-th year, from 0: `07-01T00:00`. */
export function storeTime(firstYear: number, n: number, rest: string): Temporal.Instant {
  return Temporal.PlainDateTime.from(`${firstYear + n}-${rest}`)
    .toZonedDateTime(TIME_ZONE)
    .toInstant();
}

export function termsFrom(firstYear: number): Terms {
  const time = (n: number, rest: string) => storeTime(firstYear, n, rest);
  return {
    firstYear,
    changedAt: time(1, "06-10T10:00"),
    campaigns: [
      {
        ...{ name: "First summer", from: time(0, "07-01T00:00"), to: time(0, "08-01T00:00") },
        ...{ rate: rate(2n, 100n), byTier: { 1: rate(4n, 100n) } },
      },
      {
        ...{ name: "Second summer", from: time(1, "08-01T00:00"), to: time(1, "09-01T00:00") },
        ...{ rate: rate(3n, 100n), byTier: { 2: rate(7n, 150n) } },
      },
      {
        ...{ name: "Third summer", from: time(2, "06-15T12:00"), to: time(2, "07-15T12:00") },
        ...{ rate: rate(2n, 100n), byTier: { 0: rate(5n, 300n), 1: rate(4n, 100n), 2: rate(5n, 100n) } },
      },
    ],
  };
}

/** What a tier earns at a time: the running campaign's rate, else its own. */
export function rateAt(terms: Terms, rank: number, at: Temporal.Instant): Rate {
  const campaign = terms.campaigns.find(({ from, to }) => !isBefore(at, from) && isBefore(at, to));
  if (campaign !== undefined) return campaign.byTier[rank] ?? campaign.rate;
  const rates = isBefore(at, terms.changedAt) ? RATES.before : RATES.after;
  return rates[rank] ?? RATES.before[0];
}

/** The document that the store starts with. */
export function firstDocument(terms: Terms): object {
  return {
    store: { name: "Three years", currency: "JPY", time_zone: TIME_ZONE },
    earning: {
      excluded_product_tags: [EXCLUDED_TAG],
      bonus_collections: [{ collection_id: BONUS_COLLECTION, point_value: 1, currency_value: 100 }],
    },
    campaigns: terms.campaigns.map(({ name, from, to, byTier, ...campaign }) => ({
      ...{ name, starts_at: from.toString(), ends_at: to.toString(), ...rateDocument(campaign.rate) },
      by_tier: Object.fromEntries(
        Object.entries(byTier).map(([rank, given]) => [TIERS[Number(rank)], rateDocument(given)]),
      ),
    })),
    tiers: { period_months: PERIOD_MONTHS, window_months: WINDOW_MONTHS, rules: ruleDocuments(RATES.before) },
    expiration: { delay_months: DELAY_MONTHS.before },
    rewards: {
      signup: Number(REWARDS.signup),
      marketing_opt_in: Number(REWARDS.optIn),
      birthday: Number(REWARDS.birthday),
    },
  };
}

/** What changes in the middle. */
export function secondDocument(): object {
  return { expiration: { delay_months: DELAY_MONTHS.after }, tiers: { rules: ruleDocuments(RATES.after) } };
}

function ruleDocuments(rates: readonly Rate[]): readonly object[] {
  return TIERS.map((name, rank) => ({
    ...{ name, default: rank === 0, currency_spent_requirement: Number(REQUIREMENTS[rank]) },
    ...rateDocument(rates[rank] ?? rate(1n, 100n)),
  }));
}

function rateDocument({ points, yen }: Rate): object {
  return { point_value: Number(points), currency_value: Number(yen) };
}

export function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
