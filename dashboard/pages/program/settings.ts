/** How a setting is entered. Money is in minor units of the store's currency. */
export type Kind =
  | { readonly kind: "text" | "currency" | "zone" | "flag" | "tags" | "points" | "money" }
  | { readonly kind: "count"; readonly isNullable?: boolean }
  | { readonly kind: "choice"; readonly options: readonly (string | number)[] };

const flag: Kind = { kind: "flag" };
const count: Kind = { kind: "count" };
const points: Kind = { kind: "points" };
const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** Every setting with a single value, by its field of the document (program.md 9); rates and lists have their own editors. */
export const SETTINGS = {
  "store.name": { kind: "text" },
  "store.currency": { kind: "currency" },
  "store.time_zone": { kind: "zone" },
  "earning.rounding": { kind: "choice", options: ["up", "down", "half_up"] },
  "earning.award_on": { kind: "choice", options: ["paid_and_fulfilled", "paid"] },
  "earning.pending_days": count,
  "earning.include_tax": flag,
  "earning.separate_tax": flag,
  "earning.excluded_product_tags": { kind: "tags" },
  "earning.excluded_customer_tags": { kind: "tags" },
  "tiers.period_months": { kind: "choice", options: [1, 2, 3, 4, 6, 12] },
  "tiers.start_month": { kind: "choice", options: months },
  "tiers.window_months": count,
  "tiers.on_miss": { kind: "choice", options: ["one_down", "matching", "never"] },
  "tiers.spend_at": { kind: "choice", options: ["fulfilled", "paid", "processed"] },
  "expiration.delay_months": { kind: "count", isNullable: true },
  "expiration.mode": { kind: "choice", options: ["sliding", "per_allotment"] },
  "expiration.sweep": { kind: "choice", options: ["daily", "monthly", "yearly"] },
  "expiration.coupons_extend": flag,
  "expiration.returned_days": count,
  "expiration.shortening_days": count,
  "refunds.shortfall": { kind: "choice", options: ["cap", "owe", "refuse"] },
  "refunds.reimburse_coupons_on_partial": flag,
  "coupons.point_worth": { kind: "money" },
  "coupons.lifetime_hours": count,
  "coupons.grace_hours": count,
  "rewards.signup": points,
  "rewards.marketing_opt_in": points,
  "rewards.birthday": points,
  "staff.approval_limit": { kind: "count", isNullable: true },
  "staff.daily_limit": { kind: "count", isNullable: true },
} as const satisfies Record<string, Kind>;

export type Setting = keyof typeof SETTINGS;

/** Settings that only an owner changes: the limits above which a person's movements need approval. */
export const LIMITS: readonly string[] = ["staff.approval_limit", "staff.daily_limit"] satisfies Setting[];

/** The tabs of the page, in order. */
export const TABS = [
  "store",
  "earning",
  "tiers",
  "campaigns",
  "bonuses",
  "expiration",
  "refunds",
  "coupons",
  "rewards",
  "staff",
  "versions",
] as const;
export type Tab = (typeof TABS)[number];

/** Returns the settings of a section of the document, in order. */
export function settingsOf(section: string): readonly Setting[] {
  return (Object.keys(SETTINGS) as Setting[]) // cast: Object.keys loses the names of a constant's keys
    .filter((field) => field.startsWith(`${section}.`));
}

export function kindOf(field: Setting): Kind {
  return SETTINGS[field];
}
