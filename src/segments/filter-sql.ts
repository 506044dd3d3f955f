import type { Param } from "../db/encode-param.ts";
import type { Program } from "../program/program.ts";
import { addDays, localDate, monthIndex, startOfMonthIndex } from "../time/store-time.ts";
import type { Activity, SegmentFilter } from "./segment-filter.ts";

/** The program and the time that a filter refers to. */
export interface FilterContext {
  readonly program: Program;
  /** The moment from which days are counted. */
  readonly now: Temporal.Instant;
}

export interface FilterSql {
  readonly text: string;
  readonly params: readonly Param[];
}

const FROM = `from customer c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
left join customer_tier t on t.bucket = c.bucket and t.customer_uid = c.customer_uid
left join sale_buyer s on s.bucket = c.bucket and s.customer_uid = c.customer_uid
left join figure_customer f on f.bucket = c.bucket and f.customer_uid = c.customer_uid`;

/** The time at which a customer lapses (`s`: their `sale_buyer`): 1.5 times the mean gap between their orders, at least a week, after the last. */
export const LAPSES_AT = `s.last_at + greatest((s.last_at - s.first_at) / (s.orders - 1), interval '7 days') * 1.5`;

const LAPSES_AT_IF_ANY = `case when s.orders > 1 then ${LAPSES_AT} end`;

const POINTS = "b.ledger_points - b.held_points";
const ORDERS = "coalesce(s.orders, 0)";
const SPEND = "coalesce(s.revenue, 0)";

/** The SQL (`from ... where ...`) for the customers of buckets $1 to $2, both inclusive, who match a filter. */
export function filterSql(filter: SegmentFilter, { program, now }: FilterContext): FilterSql {
  const params: Param[] = [0, 0];
  const bind = (value: Param) => `$${params.push(value)}`;
  const { timeZone } = program.store;
  const ago = (days: number) => `${bind(addDays(now, -days, timeZone))}::timestamptz`;
  const conditions = [
    ...given(filter.spendMin, (value) => `${SPEND} >= ${bind(value)}::bigint`),
    ...given(filter.spendMax, (value) => `${SPEND} <= ${bind(value)}::bigint`),
    ...given(filter.ordersMin, (value) => `${ORDERS} >= ${bind(value)}::bigint`),
    ...given(filter.ordersMax, (value) => `${ORDERS} <= ${bind(value)}::bigint`),
    ...given(filter.orderedWithinDays, (days) => `s.last_at >= ${ago(days)}`),
    ...given(filter.notOrderedForDays, (days) => `s.last_at < ${ago(days)}`),
    ...given(filter.activity, (activity) => activityCondition(activity, () => bind(now))),
    ...given(filter.activeWithinDays, (days) => {
      const day = Temporal.PlainDate.from(localDate(now, timeZone)).subtract({ days }).toString();
      return `f.active_on > ${bind(day)}::date`;
    }),
    ...given(filter.pointsMin, (value) => `${POINTS} >= ${bind(value)}::bigint`),
    ...given(filter.pointsMax, (value) => `${POINTS} <= ${bind(value)}::bigint`),
    ...given(filter.expiringWithinMonths, (months) => expiringCondition(bind(monthIndex(now, timeZone) + months))),
    ...given(filter.tiers, (tiers) => tierCondition(tiers, program, bind)),
    ...given(filter.tags, (tags) => tagCondition(bind(lowerCase(tags)))),
    ...given(filter.withoutTags, (tags) => `not ${tagCondition(bind(lowerCase(tags)))}`),
    ...given(filter.birthdayMonth, (month) => {
      const padded = String(month).padStart(2, "0");
      return `left(right(c.birthday, 5), 2) = ${bind(padded)}`;
    }),
    ...given(filter.acceptsMarketing, (accepts) => `coalesce(c.accepts_marketing, false) = ${bind(accepts)}::boolean`),
    ...given(filter.language, (language) => {
      return `coalesce(lower(split_part(c.locale, '-', 1)), 'und') = ${bind(language)}`;
    }),
    ...given(filter.joinedWithinDays, (days) => `c.created_at >= ${ago(days)}`),
    ...given(filter.joinedMonth, (month) => monthCondition("c.created_at", month, timeZone, bind)),
    ...given(filter.lapsedMonth, (month) => {
      const isLapsing = activityCondition("lapsing", () => bind(now));
      return `${isLapsing}\n  and ${monthCondition(`(${LAPSES_AT_IF_ANY})`, month, timeZone, bind)}`;
    }),
    ...given(filter.firstOrderedMonth, (month) => monthCondition("s.first_at", month, timeZone, bind)),
  ];
  const all = ["c.bucket between $1::smallint and $2::smallint", "c.deleted_at is null", ...conditions];
  return { text: `${FROM}\nwhere ${all.join("\n  and ")}`, params };
}

/** The parameters for a range of buckets, both inclusive. */
export function forBuckets({ params }: FilterSql, first: number, last: number): readonly Param[] {
  return [first, last, ...params.slice(2)];
}

function given<T>(value: T | undefined, condition: (value: T) => string): readonly string[] {
  return value === undefined ? [] : [condition(value)];
}

function activityCondition(activity: Activity, now: () => string): string {
  if (activity === "never") return "s.orders is null";
  if (activity === "once") return "s.orders = 1";
  const isLapsing = `case when s.orders > 1 then ${LAPSES_AT} < ${now()}::timestamptz end`;
  return activity === "lapsing" ? isLapsing : `not ${isLapsing}`;
}

function expiringCondition(before: string): string {
  return `exists (
    select
    from string_to_table(f.expiring, ' ') as p (part)
    where p.part <> ''
      and split_part(p.part, ':', 1)::integer < ${before}::integer)`;
}

/** Customers without a tier, or with a tier that no longer exists, are in the default one. */
function tierCondition(
  tiers: readonly string[],
  { tiers: { rules } }: Program,
  bind: (value: Param) => string,
): string {
  const isPlaced = `t.tier_uid = any(${bind(tiers)}::uuid[])`;
  if (!rules.some(({ uid, isDefault }) => isDefault && tiers.includes(uid))) return isPlaced;
  const known = bind(rules.map(({ uid }) => uid));
  return `(${isPlaced} or t.tier_uid is null or t.tier_uid <> all(${known}::uuid[]))`;
}

function tagCondition(tags: string): string {
  return `exists (select from unnest(c.tags) as g (tag) where lower(g.tag) = any(${tags}::text[]))`;
}

function monthCondition(column: string, month: string, timeZone: string, bind: (value: Param) => string): string {
  const { year, month: number } = Temporal.PlainYearMonth.from(month);
  const index = year * 12 + number - 1;
  const [from, until] = [startOfMonthIndex(index, timeZone), startOfMonthIndex(index + 1, timeZone)];
  return `${column} >= ${bind(from)}::timestamptz and ${column} < ${bind(until)}::timestamptz`;
}

function lowerCase(tags: readonly string[]): readonly string[] {
  return tags.map((tag) => tag.trim().toLowerCase());
}
