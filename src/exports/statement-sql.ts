import { CHANGE_COLUMNS, CHANGE_PLACE, EXACT_BELOW } from "../ledger/change-columns.ts";

/** From its start, included, to its end, excluded. */
export interface StatementPeriod {
  readonly startAt: Temporal.Instant;
  readonly endAt: Temporal.Instant;
}

/** The columns of a line as COPY returns them, in this order. */
export const LINE_COLUMNS = [
  "bucket",
  "customer_uid",
  "storefront_id",
  "email",
  "name",
  "tier_uid",
  "first_version",
  "last_version",
  "ledger_points",
  "available_points",
  "held_until",
  "counts_from",
  "soonest_expires_at",
  ...CHANGE_COLUMNS,
] as const;

const literal = (at: Temporal.Instant) => `timestamptz '${at}'`;

/** The columns that do not depend on the period, of a balance `b`, a customer `c` and its tier `t`. */
const customerColumns = "c.bucket::integer, c.customer_uid, c.storefront_id, c.email, c.name, t.tier_uid";
const balanceColumns = (isSliding: boolean) => `b.ledger_points,
  b.ledger_points - b.held_points,
  b.held_until,
  ${isSliding ? "case when b.oldest_since is not null then greatest(b.active_at, b.oldest_since) end" : "b.oldest_since"},
  b.soonest_expires_at`;

/** A customer's versions and times rise together, so the period is a range of versions. */
export function selectPeriod({ startAt, endAt }: StatementPeriod, isSliding: boolean): string {
  return `with change as (
  select a.bucket,
    a.customer_uid,
    min(a.version) as first_version,
    max(a.version) as last_version,
    sum(abs(a.points)) as moved,
    ${CHANGE_COLUMNS.map((column, place) => `sum(a.points) filter (where a.place = ${place}) as ${column}`).join(",\n    ")}
  from (
    select a.bucket,
      a.customer_uid,
      a.version,
      a.point_value::double precision as points,
      ${CHANGE_PLACE} as place
    from allotment a
    where a.allotted_at >= ${literal(startAt)}
      and a.allotted_at < ${literal(endAt)}
      and a.point_value <> 0
    offset 0) a -- not merged into the query around it, which would compute the place again for each sum
  group by a.bucket, a.customer_uid)
select ${customerColumns},
  nullif(s.first_version, 1), -- null: the customer's first one
  case when s.last_version < b.version or s.moved >= ${EXACT_BELOW} then s.last_version end, -- null: the last one, and the sums are exact
  ${balanceColumns(isSliding)},
  ${CHANGE_COLUMNS.map((column) => `case when s.moved < ${EXACT_BELOW} then coalesce(s.${column}, 0)::bigint end`).join(",\n  ")}
from change s
join balance b on b.bucket = s.bucket and b.customer_uid = s.customer_uid
join customer c on c.bucket = s.bucket and c.customer_uid = s.customer_uid
left join customer_tier t on t.bucket = s.bucket and t.customer_uid = s.customer_uid
order by c.storefront_id`;
}

// Versions have no gaps, so a customer's sums and the allotments added to them are complete if together they are as many as the versions.
const IS_KNOWN = "coalesce(f.summed_version, 0) + coalesce(s.allotments, 0) = b.version";

/**
 * The same for a period that begins before the store's first allotment: the sums that the worker has stored up to `summedAt`, and the allotments
 * since. Reads no earlier allotment. A line whose sums are not known so, or whose last allotment may be after the period, has none, and the last
 * version that there is: it has to be read from the customer's allotments, which may also show that there is no line.
 */
export function selectFromStart(endAt: Temporal.Instant, summedAt: Temporal.Instant, isSliding: boolean): string {
  const isKnown = `b.last_allotted_at < ${literal(endAt)} and ${IS_KNOWN}`;
  const exact = (sum: string) => `case when sum(abs(a.points)) < ${EXACT_BELOW} then ${sum} end`;
  const sumOf = (column: string) => `coalesce(f.${column}, 0) + coalesce(s.${column}, 0)`;
  const [first, ...others] = CHANGE_COLUMNS;
  return `with since as (
  select a.bucket,
    a.customer_uid,
    ${exact("count(*)")} as allotments,
    bool_or(a.points <> 0) as has_change,
    ${CHANGE_COLUMNS.map((column, place) => `${exact(`sum(a.points) filter (where a.place = ${place})::bigint`)} as ${column}`).join(",\n    ")}
  from (
    select a.bucket,
      a.customer_uid,
      a.point_value::double precision as points,
      ${CHANGE_PLACE} as place
    from allotment a
    left join figure_customer f on f.bucket = a.bucket and f.customer_uid = a.customer_uid
    where a.allotted_at > ${literal(summedAt)}
      and a.version > coalesce(f.summed_version, 0)
    offset 0) a -- not merged into the query around it, which would compute the place again for each sum
  group by a.bucket, a.customer_uid)
select ${customerColumns},
  null::bigint,
  case when not (${isKnown}) then b.version end,
  ${balanceColumns(isSliding)},
  case when ${isKnown} then ${sumOf(first)} end,
  ${others.map(sumOf).join(",\n  ")}
from balance b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
left join figure_customer f on f.bucket = b.bucket and f.customer_uid = b.customer_uid
left join since s on s.bucket = b.bucket and s.customer_uid = b.customer_uid
left join customer_tier t on t.bucket = b.bucket and t.customer_uid = b.customer_uid
where b.version > 0
  and (coalesce(${CHANGE_COLUMNS.map((column) => `f.${column}`).join(", ")}) is not null or s.has_change or not (${isKnown}))
order by c.storefront_id`;
}
