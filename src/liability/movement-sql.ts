/** SQL for whether an allotment that gave points returned earlier ones: its lots keep the start and origin of theirs. */
export function isReturnSql(allotment: string): string {
  return `(${allotment}.type in ('coupon_reimbursement', 'coupon_cancellation')
      or split_part(${allotment}.source_key, '/', 1) in ('merge', 'undo', 'csv_undo'))`;
}

/**
 * SQL for the movements of the allotments of `chosen` (rows of `allotment`), one row for each allotment and lot. The movements of a
 * deduction are its draws; the movement of points that were given is the lot they opened. Returned points are several lots, each with the
 * start and origin of the lot they were drawn from; their movements are the points that these lots still hold and those drawn from them.
 * `cause_at`: the time of the cause. `money`: what the customer paid where the points were earned. Both are stored with an award; of one that an
 * earlier version posted, they are what its order says now, in proportion to this allotment's part of all points that it awards: such a one is not
 * `isPriced`. `lot_version`: the allotment that opened the lot.
 */
export function movementsSql(chosen: string): string {
  return `with chosen as materialized (${chosen}),
given as materialized (
  select c.*,
    ${isReturnSql("c")} as "isReturn"
  from chosen c
  where c.point_value > 0),
returning_customer as materialized (
  select distinct g.bucket, g.customer_uid
  from given g
  where g."isReturn"),
returned_lot as (
  select l.bucket, l.customer_uid, l.version, l.since, l.origin, l.remaining as points
  from returning_customer r
  join lot l on l.bucket = r.bucket and l.customer_uid = r.customer_uid
  union all
  select d.bucket, d.customer_uid, d.lot_version, d.lot_since, d.lot_origin, d.points
  from given g
  join draw d on d.bucket = g.bucket and d.customer_uid = g.customer_uid and d.lot_version = g.version
  where g."isReturn"),
movement as (
  select c.bucket, c.customer_uid, c.uid, c.allotted_at, c.type, false as "isGain", split_part(c.source_key, '/', 1) as source,
    d.lot_version, d.lot_since as since, d.lot_origin as origin, d.points, c.allotted_at as cause_at, 0::numeric as money,
    true as "isPriced"
  from chosen c
  join draw d on d.bucket = c.bucket and d.customer_uid = c.customer_uid and d.by_version = c.version
  where c.point_value < 0
  union all
  select g.bucket, g.customer_uid, g.uid, g.allotted_at, g.type, true, split_part(g.source_key, '/', 1),
    g.version, l.since, l.origin, l.points, g.allotted_at, 0, true
  from given g
  join returned_lot l on l.bucket = g.bucket and l.customer_uid = g.customer_uid and l.version = g.version
  where g."isReturn"
  union all
  select g.bucket, g.customer_uid, g.uid, g.allotted_at, g.type, true, split_part(g.source_key, '/', 1), g.version,
    case when g.earned_at is null or coalesce(p.document #>> '{expiration,mode}', 'sliding') = 'sliding' then g.allotted_at
      else least(g.earned_at, g.allotted_at) end,
    g.origin, g.point_value,
    least(coalesce(w.credited_at, s.credited_at, g.earned_at, g.allotted_at), g.allotted_at),
    case when w.price_minor is not null then w.price_minor
      when o.awardable_points > 0 then floor(greatest(s.spend_minor, 0)::numeric
        * least(g.point_value, o.awardable_points) / o.awardable_points) else 0 end,
    o.order_id is null
  from given g
  left join program_version p on g.earned_at is not null and p.version = g.program_version
  left join order_posting w on g.type in ('fulfillment', 'tax') and g.parent like 'order-%' and w.order_id = substr(g.parent, 7)
    and w.cause = g.source_key
  left join store_order o on w.price_minor is null and g.type in ('fulfillment', 'tax') and g.parent like 'order-%'
    and o.order_id = substr(g.parent, 7)
  left join order_spend s on s.order_id = o.order_id
  where not g."isReturn")`;
}
