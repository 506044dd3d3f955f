import { formatInstant, parseInstant } from "../time/store-time.ts";
import {
  dictionary,
  flag,
  type Infer,
  integer,
  leaf,
  list,
  nullable,
  object,
  oneOf,
  optional,
  required,
  text,
} from "./document-reader.ts";
import { checkBonuses, checkCampaigns, checkTierRules } from "./program-checks.ts";

export const TIER_RULES_MAX = 50;
const LIST_MAX = 250;
const NAME_LENGTH_MAX = 255;
const DAYS_MAX = 3_650;
const MONTHS_MAX = 1_200;
const HOURS_MAX = 87_600;

const name = text(NAME_LENGTH_MAX);
const currencies = new Set(Intl.supportedValuesOf("currency"));

const currency = leaf('an ISO 4217 code, such as "JPY"', "JPY", (value) =>
  typeof value === "string" && currencies.has(value) ? value : undefined,
);

const timeZone = leaf('an IANA time zone, such as "Asia/Tokyo"', "UTC", (value) => zoneName(value) ?? undefined);

const uid = leaf("a UUID", "", (value) =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
    ? value.toLowerCase()
    : undefined,
);

/** A time as parseInstant reads it, stored as `formatInstant` writes it. */
function time(edge: "start" | "end") {
  return leaf("an ISO 8601 time", "1970-01-01T00:00:00.000000Z", (value, place) => {
    const instant = typeof value === "string" ? parseInstant(value, { timeZone: place.timeZone, edge }) : null;
    return instant === null ? undefined : formatInstant(instant);
  });
}

/** null: the currency unit of `earning`. */
const currencyValue = optional(nullable(integer(1)), null);
const rate = { point_value: required(integer(0)), currency_value: currencyValue };

const bonusCollection = object({
  collection_id: required(name),
  name: optional(nullable(name), null),
  ...rate,
  starts_at: optional(nullable(time("start")), null),
  ends_at: optional(nullable(time("end")), null),
});

const campaign = object({
  name: required(name),
  starts_at: required(time("start")),
  ends_at: required(time("end")),
  ...rate,
  by_tier: optional(dictionary(object(rate)), {}),
});

const tierRule = object({
  uid: optional(nullable(uid), null),
  name: required(name),
  /** null: true if the requirement is 0. */
  default: optional(nullable(flag), null),
  currency_spent_requirement: optional(integer(0), 0),
  /** null: the points of `earning`. */
  point_value: optional(nullable(integer(0)), null),
  currency_value: currencyValue,
});

const store = object({
  name: optional(name, "My store"),
  currency: optional(currency, "JPY"),
  time_zone: optional(timeZone, "Asia/Tokyo"),
});

const earning = object({
  point_value: optional(integer(0), 1),
  currency_value: optional(integer(1), 100),
  rounding: optional(oneOf("up", "down", "half_up"), "up"),
  include_tax: optional(flag, true),
  separate_tax: optional(flag, false),
  award_on: optional(oneOf("paid_and_fulfilled", "paid"), "paid_and_fulfilled"),
  pending_days: optional(integer(0, DAYS_MAX), 0),
  excluded_product_tags: optional(list(name, { lengthMax: LIST_MAX }), []),
  excluded_customer_tags: optional(list(name, { lengthMax: LIST_MAX }), []),
  bonus_collections: optional(list(bonusCollection, { lengthMax: LIST_MAX, check: checkBonuses }), []),
});

const tiers = object({
  period_months: optional(oneOf(1, 2, 3, 4, 6, 12), 1),
  start_month: optional(integer(1, 12), 1),
  window_months: optional(integer(1, MONTHS_MAX), 12),
  on_miss: optional(oneOf("one_down", "matching", "never"), "one_down"),
  spend_at: optional(oneOf("fulfilled", "paid", "processed"), "fulfilled"),
  rules: optional(list(tierRule, { lengthMax: TIER_RULES_MAX, check: checkTierRules }), []),
});

const expiration = object({
  delay_months: optional(nullable(integer(1, MONTHS_MAX)), 12),
  mode: optional(oneOf("sliding", "per_allotment"), "sliding"),
  sweep: optional(oneOf("daily", "monthly", "yearly"), "daily"),
  coupons_extend: optional(flag, true),
  returned_days: optional(integer(1, DAYS_MAX), 30),
  shortening_days: optional(integer(0, DAYS_MAX), 30),
});

const refunds = object({
  shortfall: optional(oneOf("cap", "owe", "refuse"), "cap"),
  reimburse_coupons_on_partial: optional(flag, true),
});

const coupons = object({
  point_worth: optional(integer(1), 1),
  lifetime_hours: optional(integer(1, HOURS_MAX), 24),
  grace_hours: optional(integer(0, HOURS_MAX), 24),
});

const rewards = object({
  signup: optional(integer(0), 0),
  marketing_opt_in: optional(integer(0), 0),
  birthday: optional(integer(0), 0),
});

/**
 * Points that one person may give, and take, without a second person's approval: for one customer, and for all customers, within 24 hours.
 * null: unlimited.
 */
const staff = object({
  approval_limit: optional(nullable(integer(0)), null),
  daily_limit: optional(nullable(integer(0)), null),
});

/** The document of program.md 9 with its defaults: no campaign, no exclusion, no reward, and the fields of its example. */
export const programReader = object({
  store: optional(store, store.placeholder),
  earning: optional(earning, earning.placeholder),
  campaigns: optional(list(campaign, { lengthMax: LIST_MAX, check: checkCampaigns }), []),
  tiers: optional(tiers, tiers.placeholder),
  expiration: optional(expiration, expiration.placeholder),
  refunds: optional(refunds, refunds.placeholder),
  coupons: optional(coupons, coupons.placeholder),
  rewards: optional(rewards, rewards.placeholder),
  staff: optional(staff, staff.placeholder),
});

/** The document as it was given, with its defaults. */
export type ProgramInput = Infer<typeof programReader>;
export type TierRuleInput = ProgramInput["tiers"]["rules"][number];
export type CampaignDocument = ProgramInput["campaigns"][number];
export type RateDocument = CampaignDocument["by_tier"][string];

export interface TierRuleDocument extends TierRuleInput {
  readonly uid: string;
  readonly default: boolean;
}

/**
 * The document as it is stored: every field is present, money and points are JSON numbers, times are text in UTC, tiers have their uids and
 * `by_tier` is keyed by them.
 */
export interface ProgramDocument extends Omit<ProgramInput, "tiers"> {
  readonly tiers: Omit<ProgramInput["tiers"], "rules"> & { readonly rules: readonly TierRuleDocument[] };
}

/** Returns the IANA zone of a text in its usual case; null for anything else, including offsets such as "+09:00". */
export function zoneName(value: unknown): string | null {
  if (typeof value !== "string" || !/^[A-Za-z]/.test(value)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(value).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
