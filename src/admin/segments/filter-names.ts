import type { SegmentFilter } from "../../segments/segment-filter.ts";
import type { FilterBody } from "./schema.ts";

const NAMES = {
  spend_min: "spendMin",
  spend_max: "spendMax",
  orders_min: "ordersMin",
  orders_max: "ordersMax",
  ordered_within_days: "orderedWithinDays",
  not_ordered_for_days: "notOrderedForDays",
  activity: "activity",
  active_within_days: "activeWithinDays",
  points_min: "pointsMin",
  points_max: "pointsMax",
  expiring_within_months: "expiringWithinMonths",
  tiers: "tiers",
  tags: "tags",
  without_tags: "withoutTags",
  birthday_month: "birthdayMonth",
  accepts_marketing: "acceptsMarketing",
  language: "language",
  joined_within_days: "joinedWithinDays",
  joined_month: "joinedMonth",
  first_ordered_month: "firstOrderedMonth",
  lapsed_month: "lapsedMonth",
} as const satisfies Readonly<Record<keyof FilterBody, keyof SegmentFilter>>;

const PAIRS = Object.entries(NAMES) as readonly [keyof FilterBody, keyof SegmentFilter][]; // cast: the entries of the literal above

export function filterOfBody(body: FilterBody): SegmentFilter {
  const fields = PAIRS.flatMap(([wire, own]) => (body[wire] === undefined ? [] : [[own, body[wire]]]));
  return Object.fromEntries(fields) as SegmentFilter; // cast: each field has the type of the one that it is renamed to
}

export function bodyOfFilter(filter: SegmentFilter): FilterBody {
  const fields = PAIRS.flatMap(([wire, own]) => (filter[own] === undefined ? [] : [[wire, filter[own]]]));
  return Object.fromEntries(fields) as FilterBody; // cast: the same in the other direction
}
