import type { Queryable, Tx } from "../db/pool.ts";
import { unnested } from "../db/unnested.ts";
import { type CustomerRef, refKeys, refOf } from "../ledger/customer-ref.ts";
import { readHolders } from "../ledger/merge/merge-queries.ts";
import { bookmarkParams, type SettledRange } from "../metrics/range-queries.ts";
import { localDate } from "../time/store-time.ts";
import type { BenefitKind } from "../wire/benefits.ts";

/** An order this soon after a benefit counts as brought by it; in hours, because the length of a day depends on the time zone. */
export const HOURS_TO_ORDER = 720;
const ORDERS_WITHIN = `interval '${HOURS_TO_ORDER} hours'`;
/** SQL for the store's day of an instant. */
export const dayOfSql = (at: string) => `(${at} at time zone (select time_zone from growth_standing))::date`;

const RANGE = `select *
  from allotment
  where (allotted_at, uid) > ($1::timestamptz, $2::uuid)
    and (allotted_at, uid) <= ($3::timestamptz, $4::uuid)`;

/** SQL for the benefits among allotments. The key of the allotment that pays for a coupon is `coupon/` and its uid, with nothing after it. */
export function benefitsSql(allotments: string): string {
  return `select a.bucket, a.customer_uid, a.version, case when a.type = 'reward' then a.object else 'coupon' end as kind, a.allotted_at as at,
    abs(a.point_value) as points, case when a.type = 'api' then substr(a.source_key, 8)::uuid end as coupon_uid
  from (${allotments}) a
  where (a.type = 'reward' and a.object in ('reward-1', 'reward-2', 'reward-3'))
    or (a.type = 'api' and a.source_key ~ '^coupon/[0-9a-f-]{36}$')`;
}

/**
 * SQL for the points that coupons returned, less those taken again after a late use, by the day on which the coupon was issued. Materialized: Citus
 * then finds the coupons of these allotments by key, and would otherwise send all coupons to each node (decision 93).
 */
export function returnedSql(allotments: string): string {
  return `with a as materialized (
    select a.object, a.point_value
    from (${allotments}) a
    where a.type in ('coupon_cancellation', 'coupon_reimbursement')
      or (a.type = 'api' and a.source_key like 'coupon/%/use'))
  select 'coupon' as kind, ${dayOfSql("c.issued_at")} as day, sum(a.point_value) as returned
  from a
  join coupon c on c.uid = case when a.object ~ '^coupon-[0-9a-f-]{36}$' then substr(a.object, 8)::uuid end
  group by 1, 2`;
}

const ON_DAY = `on conflict (kind, day) do update
  set benefits = g.benefits + excluded.benefits,
    points = g.points + excluded.points,
    returned = g.returned + excluded.returned,
    used = g.used + excluded.used,
    ordered = g.ordered + excluded.ordered`;
const COLUMNS = "(kind, day, benefits, points, returned, used, ordered)";

const ADD_BENEFITS = `with made as (
  insert into growth_benefit (bucket, customer_uid, version, kind, at, points, coupon_uid)
  ${benefitsSql(RANGE)}
  returning *),
added as (
  insert into growth_benefit_day as g ${COLUMNS}
  select kind, ${dayOfSql("at")}, count(*), sum(points), 0, 0, 0
  from made
  group by 1, 2
  ${ON_DAY})
select distinct bucket,
  customer_uid as "customerUid"
from made`;

const ADD_RETURNED = `insert into growth_benefit_day as g ${COLUMNS}
select kind, day, 0, 0, returned, 0, 0
from (${returnedSql(RANGE)}) r
${ON_DAY}`;

/** Adds the benefits in a range of settled allotments. The caller has locked the row of the progress. */
export async function addRangeBenefits(tx: Tx, { from, to }: SettledRange): Promise<void> {
  const params = [...bookmarkParams(from), ...bookmarkParams(to)];
  const customers = await tx.query<CustomerRef>(ADD_BENEFITS, params);
  await tx.execute(ADD_RETURNED, params);
  await recountBenefits(tx, customers);
}

/**
 * SQL for what the benefits of customers have led to by now. `parts`: the customers (`bucket`, `customer_uid`), each with itself and with those who were
 * merged into it (`part_bucket`, `part_uid`).
 */
export function outcomesSql(parts: string): string {
  return `select g.bucket, g.customer_uid, g.version, g.kind, g.at, g.is_used as was_used, g.has_order as had_order,
    g.coupon_uid is not null and exists (select from coupon_use u where u.coupon_uid = g.coupon_uid) as is_used,
    exists (
      select
      from sale s
      where s.bucket = h.bucket and s.customer_uid = h.customer_uid
        and s.at > g.at and s.at <= g.at + ${ORDERS_WITHIN}) as has_order
  from (${parts}) h
  join growth_benefit g on g.bucket = h.part_bucket and g.customer_uid = h.part_uid`;
}

const MERGED = `select b.bucket,
  b.customer_uid as "customerUid",
  b.merged_into as "mergedInto"
from balance b
where b.merged_into = any($1)`;

const RECOUNT = `with outcome as materialized (
  select *
  from (${outcomesSql(unnested(["bucket smallint", "customer_uid uuid", "part_bucket smallint", "part_uid uuid"]))}) o
  where (was_used, had_order) is distinct from (is_used, has_order)),
changed as (
  update growth_benefit g
  set is_used = o.is_used,
    has_order = o.has_order
  from outcome o
  where g.bucket = o.bucket
    and g.customer_uid = o.customer_uid
    and g.version = o.version)
insert into growth_benefit_day as g ${COLUMNS}
select kind, ${dayOfSql("at")}, 0, 0, 0, sum(is_used::integer - was_used::integer), sum(has_order::integer - had_order::integer)
from outcome
group by 1, 2
${ON_DAY}`;

/** Counts again what the benefits of customers, and of those merged with them, led to. The caller has locked the progress row. */
export async function recountBenefits(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  if (customers.length === 0) return;
  const merged = await readHolders(tx, customers);
  const holders = new Map(
    customers.map((customer) => {
      const holder = merged.get(customer.customerUid) ?? customer;
      return [holder.customerUid, holder];
    }),
  );
  const keys = [...holders.values()];
  const removed = await tx.query<CustomerRef & { mergedInto: string }>(MERGED, [
    keys.map(({ customerUid }) => customerUid),
  ]);
  const parts = [
    ...keys.map((key) => ({ holder: key, part: key })),
    ...removed.map(({ mergedInto, ...part }) => ({ holder: refOf(mergedInto), part })),
  ];
  await tx.execute(RECOUNT, [...refKeys(parts.map(({ holder }) => holder)), ...refKeys(parts.map(({ part }) => part))]);
}

/** The results of benefits of one kind, by the month in which they were given. */
export interface BenefitMonth {
  readonly month: number;
  readonly kind: BenefitKind;
  readonly benefits: bigint;
  readonly points: bigint;
  readonly returned: bigint;
  readonly used: bigint;
  /** The number of benefits given before the last 30 days; `ordered`: how many of them led to an order. */
  readonly over: bigint;
  readonly ordered: bigint;
}

const MONTHS = `select (extract(year from day) * 12 + extract(month from day) - 1)::integer as month,
  kind,
  sum(benefits)::bigint as benefits,
  sum(points)::bigint as points,
  sum(returned)::bigint as returned,
  sum(used)::bigint as used,
  coalesce(sum(benefits) filter (where day < $2::date), 0)::bigint as over,
  coalesce(sum(ordered) filter (where day < $2::date), 0)::bigint as ordered
from growth_benefit_day
where day >= $1::date
group by 1, 2`;

/** Sums the days by month, from the first day of a month. */
export function selectBenefitMonths(
  queryable: Queryable,
  from: Temporal.Instant,
  { now, timeZone }: { readonly now: Temporal.Instant; readonly timeZone: string },
): Promise<BenefitMonth[]> {
  const overBefore = localDate(now.subtract({ hours: HOURS_TO_ORDER }), timeZone);
  return queryable.query<BenefitMonth>(MONTHS, [localDate(from, timeZone), overBefore]);
}
