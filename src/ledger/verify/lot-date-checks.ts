import type { LedgerCheck } from "./ledger-checks.ts";

// Whether an allotment returns earlier points or carries those of a merged customer: its lots keep the dates of the lots from which they were
// drawn. Its source key shows this, and the chain covers the key.
const BRINGS_BACK = ["coupon_return", "undo", "csv_undo", "merge"]
  .map((start) => `a.source_key like '${start.replace("_", "\\_")}/%'`)
  .join(" or ");

/** Condition on `allotment a`: its lots count from when it was allotted or earned. */
export const OPENS_OWN_LOTS: string = `not (${BRINGS_BACK})`;

// The remaining lots, and the draws from lots, which keep the properties of the lot.
const LOTS_AND_DRAWS = `select bucket, customer_uid, version, part, since, extends, origin, expires_at, 0 as by_version
  from lot
  where bucket between $1 and $2
  union all
  select bucket, customer_uid, lot_version, part, lot_since, lot_extends, lot_origin, lot_expires_at, by_version
  from draw
  where bucket between $1 and $2`;

const MAY_HAVE_MOVED = "interval '1 day' * (coalesce((document->'expiration'->>'returned_days')::integer, 30) + 2)";

// Survivors, and since when somebody was merged with them. A merge of a customer without points writes no allotment to the survivor, but points that had
// been drawn from the customer come back to the survivor, with their dates.
const JOINED = `joined as materialized (
  select b.merged_into as person, min(c.deleted_at) as since
  from balance b
  join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
  where b.merged_into is not null
  group by b.merged_into)`;

/** Joins them with the customer of `allotment a`, or with the one into whom that one was merged. */
const WITH_JOINED = `join balance h on h.bucket = a.bucket and h.customer_uid = a.customer_uid
left join joined j on j.person = coalesce(h.merged_into, h.customer_uid)`;

/** Condition that nobody was merged with them before the allotment. */
const IS_OF_ONE = "(j.since is null or j.since > a.allotted_at)";

/** Checks that lots have the dates, start and origin that follow from the facts of their allotments. */
export const LOT_DATES_CHECK: LedgerCheck = {
  name: "lot_dates",
  says: "lots and draws have the start, the origin and the effect on expiry of the allotment that gave their points",
  text: `select a.customer_uid,
  format('version %s was allotted at %s, %s; %s counts from %s, %s', a.version, a.allotted_at, a.origin,
    case when o.by_version = 0 then 'its lot' else 'the draw of version ' || o.by_version end, o.since, o.origin) as found
from (${LOTS_AND_DRAWS}) o
join allotment a on a.bucket = o.bucket and a.customer_uid = o.customer_uid and a.version = o.version
where a.bucket between $1 and $2
  and ${OPENS_OWN_LOTS}
  and (o.part <> 0
    or o.since not in (a.allotted_at, coalesce(least(a.earned_at, a.allotted_at), a.allotted_at))
    or o.extends <> a.extends
    or o.origin is distinct from a.origin)`,
};

/** Checks the rarer lots: those of returned points, and those with a date that a hold left behind. */
export const RETURNED_DATES_CHECK: LedgerCheck = {
  name: "returned_dates",
  says: "returned points keep the start of the points that were taken, and a date that is not the allotment's own comes from the end of a hold or a return",
  text: `with moved as materialized (
  select max(${MAY_HAVE_MOVED}) as days
  from program_version),
${JOINED}
select o.customer_uid,
  format('version %s brought points back at %s; a lot of them counts from %s', o.version, a.allotted_at, o.since) as found
from (${LOTS_AND_DRAWS}) o
join allotment a on a.bucket = o.bucket and a.customer_uid = o.customer_uid and a.version = o.version
${WITH_JOINED}
where a.bucket between $1 and $2
  and a.source_key not like 'api/%'
  and (${BRINGS_BACK})
  and (o.since > a.allotted_at
    or not exists (
      select
      from draw d
      where d.bucket = o.bucket and d.customer_uid = o.customer_uid and d.by_version < o.version and d.lot_since = o.since
        and d.lot_extends = o.extends and d.lot_origin is not distinct from o.origin)
    and not exists (
      select
      from allotment m
      where m.bucket = o.bucket and m.customer_uid = o.customer_uid and m.version <= o.version and m.source_key like 'merge/%'
        and m.source_key not like 'api/%')
    and ${IS_OF_ONE})
union all
select l.customer_uid,
  format('version %s says no date; its lot expires at %s', l.version, l.expires_at) as found
from lot l
join allotment a on a.bucket = l.bucket and a.customer_uid = l.customer_uid and a.version = l.version
where l.bucket between $1 and $2
  and l.expires_at < 'infinity'
  and a.expires_at is null
  and not exists (
    select
    from reservation r
    where r.bucket = l.bucket and r.customer_uid = l.customer_uid and r.ended_at >= a.allotted_at
      and r.ended_at between l.expires_at - (select days from moved) and l.expires_at)
  and not (${BRINGS_BACK})
union all
select l.customer_uid,
  format('version %s brought points back at %s; a lot of them expires at %s, as none did before', l.version, a.allotted_at, l.expires_at)
    as found
from lot l
join allotment a on a.bucket = l.bucket and a.customer_uid = l.customer_uid and a.version = l.version
${WITH_JOINED}
where l.bucket between $1 and $2
  and l.expires_at < 'infinity'
  and (${BRINGS_BACK})
  and l.expires_at > a.allotted_at + (select days from moved)
  and not exists (
    select
    from draw d
    where d.bucket = l.bucket and d.customer_uid = l.customer_uid and d.by_version < l.version and d.lot_expires_at >= l.expires_at)
  and not exists (
    select
    from allotment m
    where m.bucket = l.bucket and m.customer_uid = l.customer_uid and m.version <= l.version and m.source_key like 'merge/%'
      and m.source_key not like 'api/%')
  and ${IS_OF_ONE}
  and not exists (
    select
    from reservation r
    where r.bucket = l.bucket and r.customer_uid = l.customer_uid and r.ended_at between l.expires_at - (select days from moved)
      and l.expires_at)`,
};
