import { isReturnSql, movementsSql } from "./movement-sql.ts";

/** The types of allotments with which orders award points. */
const AWARD_TYPES = "('fulfillment', 'tax')";

/** SQL that narrows allotments to those that issued points of origin sale without an order. */
export function issuesUnpricedSql(allotment: string): string {
  return `${allotment}.point_value > 0
    and ${allotment}.origin = 'sale'
    and ${allotment}.type not in ${AWARD_TYPES}
    and not ${isReturnSql(allotment)}`;
}

/**
 * SQL for those movements of the allotments of `chosen` whose points are of origin sale and were not awarded by an order, as `unpriced`.
 * `condition` narrows the movements `m`. The allotment that opened a lot decides. Returned and merged points have lots of their own, which keep the
 * start of the first: it is the time of the award, where there was one. Times of a customer's allotments are unique; those of customers who were merged
 * later need not be (docs/decisions/0076-points-without-a-price.md).
 */
export function unpricedSql(chosen: string, condition: string): string {
  return `${movementsSql(chosen)},
sold as materialized (
  select m.*
  from movement m
  where m.origin = 'sale'
    and ${condition}),
opened as materialized (
  select s.*, a.type in ${AWARD_TYPES} as "isAward", ${isReturnSql("a")} as "isCopy"
  from sold s
  join allotment a on a.bucket = s.bucket and a.customer_uid = s.customer_uid and a.version = s.lot_version),
copied as materialized (
  select distinct o.bucket, o.customer_uid, o.since
  from opened o
  where o."isCopy"),
survivor as materialized (
  select c.customer_uid, c.since, coalesce(b.merged_into, b.customer_uid) as uid
  from copied c
  join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid),
member as materialized (
  select s.customer_uid, s.since, s.uid
  from survivor s
  union all
  select s.customer_uid, s.since, b.customer_uid
  from survivor s
  join balance b on b.merged_into = s.uid),
awarded as materialized (
  select distinct m.customer_uid, m.since
  from member m
  join allotment a on a.allotted_at = m.since and a.customer_uid = m.uid
  where a.point_value > 0
    and a.type in ${AWARD_TYPES}),
unpriced as (
  select o.*
  from opened o
  left join awarded w on w.customer_uid = o.customer_uid and w.since = o.since
  where not o."isAward"
    and (not o."isCopy" or w.customer_uid is null))`;
}
