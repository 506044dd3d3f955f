import type { Queryable } from "../db/pool.ts";

const PARTS = `select s.*, p.part ->> 'run' as run,
  (p.part ->> 'revenue')::numeric as part_revenue,
  (p.part ->> 'points')::numeric as part_points,
  (p.part ->> 'extra')::numeric as part_extra
from sale s
cross join lateral jsonb_array_elements(s.parts -> 'runs') as p (part)`;

const TIERS = `cross join lateral (values (s.tier_uid), ('00000000-0000-0000-0000-000000000000'::uuid)) as t (tier)`;

// Each query returns a line for each difference; sums of 0 count as absent.
const CHECKS = [
  `select format('slot %s: the sales come to %s, counted is %s', coalesce(l.slot, f.slot), to_json(l), to_json(f)) as found
  from (
    select to_timestamp(floor(extract(epoch from at) / 900) * 900) as slot, tier_uid, customer_uid is null as is_guest,
      count(*) as orders, count(*) filter (where jsonb_path_exists(parts, '$.runs[*].run ? (@ starts with "campaign/")'))
        as campaign_orders,
      sum(revenue) as revenue, sum(points) as points, sum(awarded) as awarded
    from sale
    group by 1, 2, 3) l
  full join (select * from sale_slot where orders <> 0) f
    on f.slot = l.slot and f.tier_uid = l.tier_uid and f.is_guest = l.is_guest
  where (l.orders, l.campaign_orders, l.revenue, l.points, l.awarded)
    is distinct from (f.orders, f.campaign_orders, f.revenue, f.points, f.awarded)
  limit 100`,
  `select format('run %s: the sales come to %s, counted is %s', coalesce(l.run, f.run), to_json(l), to_json(f)) as found
  from (
    select s.run, t.tier, count(*) as orders, count(distinct s.customer_uid) as customers, sum(s.part_revenue) as revenue,
      sum(s.part_points) as points, sum(s.part_extra) as extra
    from (${PARTS}) s
    ${TIERS}
    group by 1, 2) l
  full join (select * from sale_result where orders <> 0) f on f.run = l.run and f.tier_uid = l.tier
  where (l.orders, l.customers, l.revenue, l.points, l.extra)
    is distinct from (f.orders, f.customers, f.revenue, f.points, f.extra)
  limit 100`,
  `select format('collection %s at %s: the sales come to %s, counted is %s', coalesce(l.id, f.collection_id), coalesce(l.slot, f.slot),
    to_json(l), to_json(f)) as found
  from (
    select p.part ->> 'collectionId' as id, to_timestamp(floor(extract(epoch from s.at) / 900) * 900) as slot, count(*) as orders,
      sum((p.part ->> 'revenue')::numeric) as revenue
    from sale s
    cross join lateral jsonb_array_elements(s.parts -> 'collections') as p (part)
    group by 1, 2) l
  full join (select * from sale_collection where orders <> 0) f on f.collection_id = l.id and f.slot = l.slot
  where (l.orders, l.revenue) is distinct from (f.orders, f.revenue)
  limit 100`,
  `select format('customer %s: the sales come to %s, counted is %s', coalesce(l.customer_uid, f.customer_uid), to_json(l), to_json(f))
    as found
  from (
    select bucket, customer_uid, count(*) as orders, sum(revenue) as revenue, min(at) as first_at, max(at) as last_at
    from sale
    where customer_uid is not null
    group by 1, 2) l
  full join sale_buyer f on f.bucket = l.bucket and f.customer_uid = l.customer_uid
  where (l.orders, l.revenue, l.first_at, l.last_at) is distinct from (f.orders, f.revenue, f.first_at, f.last_at)
  limit 100`,
];

/** Lines for the sums that do not match the sales. */
export async function selectSumDifferences(queryable: Queryable): Promise<string[]> {
  const found: string[] = [];
  for (const text of CHECKS) {
    const rows = await queryable.query<{ found: string }>(text);
    found.push(...rows.map((row) => row.found));
  }
  return found;
}
