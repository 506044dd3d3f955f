import type { Queryable } from "../db/pool.ts";
import type { StoreMonths } from "../liability/month.ts";
import { bookmarkParams } from "../metrics/range-queries.ts";
import type { LedgerBookmark } from "../metrics/rollup.ts";
import { benefitsSql, dayOfSql, outcomesSql, returnedSql } from "./benefit-queries.ts";
import { joinedPointsSql } from "./joined-points-queries.ts";

/** Returns the SQL of a line for each sum of `customers` that differs; sums of 0 count as absent. */
function sumCheck(name: string, keys: readonly string[], customers: string): string {
  const same = keys.map((key) => `f.${key} = l.${key}`).join(" and ");
  return `select format('${name} %s: the customers come to %s', coalesce(to_json(l), to_json(f)), coalesce(l.customers, 0)) as found
  from (${customers}) l
  full join (select * from ${name} where customers <> 0) f on ${same}
  where l.customers is distinct from f.customers
  limit 100`;
}

const MOVED = `select split_part(part, ':', 1)::integer as month,
  split_part(split_part(part, ':', 2), '>', 1)::uuid as from_uid,
  split_part(part, '>', 2)::uuid as to_uid,
  bucket,
  customer_uid,
  coalesce(lag(split_part(part, ':', 1)::integer) over (partition by bucket, customer_uid order by n), joined) as since
from growth_customer
cross join lateral string_to_table(moves, ' ') with ordinality as p (part, n)
where part <> ''`;

const MOVES = `select month, from_uid, to_uid, count(*) as customers
from (${MOVED}) m
group by 1, 2, 3`;

// Versions before 0075 do not write `since`, also during a rolling upgrade. The move itself is correct; it is only missing from a list.
const LISTED = `select format('customer %s and move of month %s: counted is %s, listed is %s', coalesce(m.customer_uid, l.customer_uid),
  coalesce(m.month, l.month), to_json(m), to_json(l)) as found
from (${MOVED}) m
full join growth_moved l on l.month = m.month and l.from_uid = m.from_uid and l.to_uid = m.to_uid
  and l.bucket = m.bucket and l.customer_uid = m.customer_uid and coalesce(l.since, m.since) = m.since
where m.customer_uid is null or l.customer_uid is null
limit 100`;

const CHECKS = [
  sumCheck(
    "growth_month",
    ["month", "figure"],
    `select f.month, f.figure, count(*) as customers
    from growth_customer m
    cross join lateral (values
      (m.joined, 'joined', 0),
      (m.joined, 'ordered', 1),
      (m.joined, 'reordered', 2),
      (m.first_ordered, 'first_ordered', 1)) as f (month, figure, orders)
    where m.orders >= f.orders
    group by 1, 2`,
  ),
  sumCheck(
    "growth_lapse",
    ["hour", "month"],
    "select lapses_at as hour, lapse_month as month, count(*) as customers from growth_customer where lapses_at is not null group by 1, 2",
  ),
  sumCheck("growth_tier", ["tier_uid"], "select tier_uid, count(*) as customers from growth_customer group by 1"),
  sumCheck("growth_move", ["month", "from_uid", "to_uid"], MOVES),
  LISTED,
];

const COUNTED = `select *
  from allotment
  where (allotted_at, uid) <= ($1::timestamptz, $2::uuid)`;

const JOINED = `select a.type, a.point_value, c.created_at as joined_at
  from (${COUNTED}) a
  join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid`;

const POINTS = `select format('points of month joined %s and type %s: the ledger has %s, counted is %s', coalesce(l.month, f.month),
  coalesce(l.type, f.type), to_json(l), to_json(f)) as found
from (${joinedPointsSql(JOINED, "$3", "$4")}) l
full join growth_points f on f.month = l.month and f.type = l.type
where (l.gained, l.gains, l.taken, l.takes) is distinct from (f.gained, f.gains, f.taken, f.takes)
limit 100`;

const BENEFITS = `select format('coupon or reward %s of customer %s: the ledger has %s, counted is %s', coalesce(l.version, g.version),
  coalesce(l.customer_uid, g.customer_uid), to_json(l), to_json(g)) as found
from (${benefitsSql(COUNTED)}) l
full join growth_benefit g on g.bucket = l.bucket and g.customer_uid = l.customer_uid and g.version = l.version
where (l.kind, l.at, l.points, l.coupon_uid) is distinct from (g.kind, g.at, g.points, g.coupon_uid)
limit 100`;

const BENEFIT_DAYS = `select format('coupons and rewards of %s: they come to %s, counted is %s', coalesce(l.day, f.day), to_json(l), to_json(f)) as found
from (
  select kind, day, sum(benefits) as benefits, sum(points) as points, sum(returned) as returned, sum(used) as used, sum(ordered) as ordered
  from (
    select kind, ${dayOfSql("at")} as day, 1 as benefits, points, 0 as returned,
      is_used::integer as used, has_order::integer as ordered
    from growth_benefit
    union all
    select kind, day, 0, 0, returned, 0, 0
    from (${returnedSql(COUNTED)}) r) b
  group by 1, 2) l
full join growth_benefit_day f on f.kind = l.kind and f.day = l.day
where (l.benefits, l.points, l.returned, l.used, l.ordered) is distinct from (f.benefits, f.points, f.returned, f.used, f.ordered)
limit 100`;

const PARTS = `select bucket, customer_uid, bucket as part_bucket, customer_uid as part_uid
    from balance
    where merged_into is null
    union all
    select c.bucket, c.customer_uid, b.bucket, b.customer_uid
    from balance b
    join customer c on c.customer_uid = b.merged_into`;

const OUTCOMES = `select format('coupon or reward %s of customer %s: an order used it: %s, one came within 30 days: %s', o.version, o.customer_uid,
  o.is_used, o.has_order) as found
from (${outcomesSql(PARTS)}) o
where (o.was_used, o.had_order) is distinct from (o.is_used, o.has_order)
  and not exists (select true from growth_change)
limit 100`;

/** Lines for the sums that do not match the customers, or the ledger up to the bookmark. */
export async function selectGrowthDifferences(
  queryable: Queryable,
  bookmark: LedgerBookmark,
  { months, starts }: StoreMonths,
): Promise<string[]> {
  const found: string[] = [];
  for (const text of CHECKS) {
    const rows = await queryable.query<{ found: string }>(text);
    found.push(...rows.map((row) => row.found));
  }
  const place = bookmarkParams(bookmark);
  const rows = [
    ...(await queryable.query<{ found: string }>(POINTS, [...place, months, starts])),
    ...(await queryable.query<{ found: string }>(BENEFITS, place)),
    ...(await queryable.query<{ found: string }>(BENEFIT_DAYS, place)),
    ...(await queryable.query<{ found: string }>(OUTCOMES)),
  ];
  return [...found, ...rows.map((row) => row.found)];
}
