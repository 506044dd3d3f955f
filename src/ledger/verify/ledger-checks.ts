import { expiryDay } from "../expiry/expiry.ts";
import { LOT_DATES_CHECK, RETURNED_DATES_CHECK } from "./lot-date-checks.ts";
import { LOTS_FINGERPRINT } from "./lots-fingerprint.ts";

/** The checks of `pointkeeper verify` on holds (program.md 3). */
const HOLD_CHECKS: readonly LedgerCheck[] = [
  {
    name: "holds",
    says: "the held points of a balance are the sum of its reservations and at most its points, and its stored end is that of the first reservation",
    text: `select coalesce(b.customer_uid, r.customer_uid) as customer_uid,
  format('reservations hold %s until %s; the balance of %s says %s, %s', coalesce(r.points, 0), r.until,
    b.ledger_points, b.held_points, b.held_until) as found
from (
  select *
  from balance
  where bucket between $1 and $2) b
full join (
  select bucket, customer_uid, sum(point_value) as points, min(expires_at) as until
  from reservation
  where bucket between $1 and $2 and state = 'held'
  group by bucket, customer_uid) r on r.bucket = b.bucket and r.customer_uid = b.customer_uid
where coalesce(r.points, 0) is distinct from b.held_points
  or coalesce(r.until, 'infinity') is distinct from b.held_until
  or b.held_points > b.ledger_points`,
  },
  {
    name: "captures",
    says: "the captured points of each reservation were taken from the balance once, and no other points were taken for reservations",
    text: `select coalesce(r.customer_uid, a.customer_uid) as customer_uid,
  format('reservation %s captured %s at version %s; the ledger has %s at version %s', coalesce(r.uid::text, a.source_key),
    coalesce(r.captured_points, 0), r.captured_version, coalesce(a.point_value, 0), a.version) as found
from (
  select *
  from reservation
  where bucket between $1 and $2 and state = 'captured') r
full join (
  select *
  from allotment
  where bucket between $1 and $2
    and source_key > 'hold'
    and source_key < 'hole' -- of every 'hold/', also in collations that ignore slashes
    and source_key not like 'api/%') a -- as its index says
  on a.bucket = r.bucket and a.customer_uid = r.customer_uid and a.source_key = 'hold/' || r.uid || '/1'
where coalesce(r.captured_points, 0) <> coalesce(-a.point_value, 0)
  or r.captured_version is distinct from a.version`,
  },
];

/** One invariant of the ledger (program.md 3). */
interface Invariant {
  readonly name: string;
  /** The invariant in words. */
  readonly says: string;
}

/** An invariant as a query over a range of buckets that returns the customers that break it. */
export interface LedgerCheck extends Invariant {
  /** Takes the first and the last bucket. Returns `customer_uid` and `found`, the end of a sentence. Recomputes from allotments, lots and draws. */
  readonly text: string;
  /** Reads tables as a whole for any range, because what it compares may be with customers of other buckets. */
  readonly readsWholeStore?: boolean;
}

/** A query that finds violations of several invariants. */
export interface LedgerScan {
  readonly checks: readonly Invariant[];
  /** Like the text of a check, but each row also has the `name` of the violated check. */
  readonly text: string;
  /**
   * A cheaper query with the same parameters and a 64-bit seed, which returns at least one row if something is violated. If present, `text` is
   * run only then, to find out what.
   */
  readonly suspects?: string;
  /** Reads most of a large table, not in the order of an index: reading row by row through an index would take twice the time. */
  readonly readsWholeTables?: boolean;
}

const IS_ACTIVITY = "a.extends";
/** Whether `allotment a` counts as earning; a balance stores the first earning. */
export const IS_EARNING = "a.extends and a.point_value > 0 and a.type in ('api', 'fulfillment', 'tax', 'reward')";

// What the survivor of a merge got from the merged customers, whose own rows no longer contain it.
const MERGED_SUMS = `select o.merged_into,
    max(a.allotted_at) filter (where ${IS_ACTIVITY}) as active_at,
    min(a.allotted_at) filter (where ${IS_EARNING}) as earned_at
  from balance o
  join allotment a on a.bucket = o.bucket and a.customer_uid = o.customer_uid
  where o.merged_into is not null
    and ('x' || right(o.merged_into::text, 2))::bit(8)::int between $1 and $2
  group by o.merged_into`;

// Each allotment next to the previous one: one sorted pass over the table serves four checks. Comparing uids is faster than comparing a
// bucket that most rows share.
const HISTORIES = `select r.bucket,
    r.customer_uid,
    count(*) as allotments,
    max(r.version) as last_version,
    sum(r.point_value) as points,
    max(r.allotted_at) as last_allotted_at,
    max(r.allotted_at) filter (where r.is_activity) as active_at,
    min(r.allotted_at) filter (where r.is_earning) as earned_at,
    min(r.version) filter (where r.balance_after <> coalesce(r.balance_before, 0)::numeric + r.point_value) as odd_sum_at,
    min(r.version) filter (where r.allotted_at <= r.time_before) as odd_time_at
  from (
    select a.bucket,
      a.customer_uid,
      a.version,
      a.point_value,
      a.balance_after,
      a.allotted_at,
      ${IS_ACTIVITY} as is_activity,
      ${IS_EARNING} as is_earning,
      lag(a.balance_after) over w as balance_before,
      lag(a.allotted_at) over w as time_before
    from allotment a
    where a.bucket between $1 and $2
    window w as (partition by a.customer_uid, a.bucket order by a.version)) r
  group by r.customer_uid, r.bucket`;

// Finds the customers with faults first, with their allotments: Citus does that on its workers, and refuses a lateral join there.
const HISTORY_FAULTS = `with compared as (
  select coalesce(h.customer_uid, b.customer_uid) as customer_uid,
    h.allotments,
    h.last_version,
    h.points,
    h.odd_sum_at,
    h.odd_time_at,
    h.last_allotted_at,
    greatest(h.active_at, m.active_at) as active_at,
    least(h.earned_at, m.earned_at) as earned_at,
    b.version,
    b.ledger_points,
    b.last_allotted_at as known_last_allotted_at,
    b.active_at as known_active_at,
    b.earned_at as known_earned_at,
    h.allotments is distinct from nullif(b.version, 0)
      or h.last_version is distinct from nullif(b.version, 0) as has_odd_versions,
    coalesce(h.points, 0) is distinct from b.ledger_points
      or coalesce(h.points < 0, false) as has_odd_balance,
    b.customer_uid is not null
      and (h.last_allotted_at is distinct from b.last_allotted_at
        or b.merged_into is null
          and (greatest(h.active_at, m.active_at) is distinct from b.active_at
            or least(h.earned_at, m.earned_at) is distinct from b.earned_at)) as has_odd_times
  from (${HISTORIES}) h
  full join (select * from balance where bucket between $1 and $2) b on b.bucket = h.bucket and b.customer_uid = h.customer_uid
  left join (${MERGED_SUMS}) m on m.merged_into = b.customer_uid),
faulty as materialized (
  select *
  from compared
  where has_odd_versions
    or has_odd_balance
    or odd_sum_at is not null
    or odd_time_at is not null
    or has_odd_times)
select f.name,
  c.customer_uid,
  f.found
from faulty c
cross join lateral (
  select 'versions' as name,
    format('%s allotments, last version %s, balance at version %s', coalesce(c.allotments, 0), coalesce(c.last_version, 0), c.version)
      as found
  where c.has_odd_versions
  union all
  select 'balances', format('allotments sum to %s, the balance says %s', coalesce(c.points, 0), c.ledger_points)
  where c.has_odd_balance
  union all
  select 'balance_after', format('version %s is the first whose balance_after is not the one before it and its points', c.odd_sum_at)
  where c.odd_sum_at is not null
  union all
  select 'times', format('version %s is the first that is not after the one before it', c.odd_time_at)
  where c.odd_time_at is not null
  union all
  select 'times',
    format('last allotment %s, activity %s, first earning %s; the balance says %s, %s, %s', c.last_allotted_at, c.active_at,
      c.earned_at, c.known_last_allotted_at, c.known_active_at, c.known_earned_at)
  where c.has_odd_times) f`;

/** The checks that are served by one pass over all allotments. */
export const HISTORY_CHECKS: LedgerScan = {
  checks: [
    {
      name: "versions",
      says: "a customer's versions are 1, 2, 3, ... without a gap, and the balance has the last one",
    },
    { name: "balances", says: "a balance is the sum of its allotments and not below zero" },
    { name: "balance_after", says: "each allotment's balance_after is the sum of the allotments up to it" },
    {
      name: "times",
      says: "allotted_at rises with each version, and the balance stores the last one, the last activity and the first earning",
    },
  ],
  text: HISTORY_FAULTS,
  readsWholeTables: true,
};

/** The checks of where the points of each allotment went and where they came from. */
const LOT_CHECKS: readonly LedgerCheck[] = [
  {
    name: "lots",
    says: "the points left in each allotment's lots and the points drawn from them add up to the points of the allotment",
    text: `select coalesce(a.customer_uid, l.customer_uid, d.customer_uid) as customer_uid,
  format('version %s gave %s, its lots hold %s, draws took %s', coalesce(a.version, l.version, d.version),
    coalesce(a.point_value, 0), coalesce(l.remaining, 0), coalesce(d.points, 0)) as found
from (
  select customer_uid, version, point_value
  from allotment
  where bucket between $1 and $2 and point_value > 0) a
full join (
  select customer_uid, version, sum(remaining) as remaining
  from lot
  where bucket between $1 and $2
  group by customer_uid, version) l on l.customer_uid = a.customer_uid and l.version = a.version
full join (
  select customer_uid, lot_version as version, sum(points) as points
  from draw
  where bucket between $1 and $2
  group by customer_uid, lot_version) d
  on d.customer_uid = coalesce(a.customer_uid, l.customer_uid) and d.version = coalesce(a.version, l.version)
where coalesce(a.point_value, 0) <> coalesce(l.remaining, 0) + coalesce(d.points, 0)`,
  },
  {
    name: "draws",
    says: "the draws of each deduction add up to its points and are from earlier lots, and every draw belongs to a deduction",
    text: `select coalesce(a.customer_uid, d.customer_uid) as customer_uid,
  format('version %s took %s, its draws are %s', coalesce(a.version, d.version), coalesce(-a.point_value, 0), coalesce(d.points, 0)) as found
from (
  select customer_uid, version, point_value
  from allotment
  where bucket between $1 and $2 and point_value < 0) a
full join (
  select customer_uid, by_version as version, sum(points) as points, bool_or(lot_version >= by_version) as early
  from draw
  where bucket between $1 and $2
  group by customer_uid, by_version) d on d.customer_uid = a.customer_uid and d.version = a.version
where coalesce(-a.point_value, 0) <> coalesce(d.points, 0)
  or d.early`,
  },
  LOT_DATES_CHECK,
];

const LOT_SCAN: LedgerScan = {
  checks: LOT_CHECKS,
  text: LOT_CHECKS.map(({ name, text }) => `select '${name}' as name, f.*\nfrom (${text}) f`).join("\nunion all\n"),
  suspects: LOTS_FINGERPRINT,
  readsWholeTables: true,
};

/** The other checks, each with its own query. */
const OWN_CHECKS: readonly LedgerCheck[] = [
  {
    name: "dates",
    says: "the balance stores its oldest lot and its earliest own date, and its expiry does not count from a later day than both its last activity and its oldest lot",
    text: `select b.customer_uid,
  format('oldest lot %s, soonest date %s; the balance says %s, %s, counts from %s', l.oldest_since, l.soonest, b.oldest_since,
    b.soonest_expires_at, b.expiry_from_on) as found
from balance b
left join (
  select bucket,
    customer_uid,
    min(since) filter (where expires_at = 'infinity') as oldest_since,
    min(expires_at) as soonest
  from lot
  where bucket between $1 and $2
  group by bucket, customer_uid) l on l.bucket = b.bucket and l.customer_uid = b.customer_uid
where b.bucket between $1 and $2
  and (l.oldest_since is distinct from b.oldest_since
    or coalesce(l.soonest, 'infinity') <> b.soonest_expires_at
    or (l.oldest_since is not null and b.expiry_from_on is null)
    or b.expiry_from_on > ${expiryDay("b.active_at", "l.oldest_since")})`,
  },
  {
    name: "own_dates",
    says: "lots of allotments with their own dates have these dates, or a later one if a hold ended after them",
    text: `select a.customer_uid,
  format('version %s expires at %s and was earned at %s; its lot says %s, from %s', a.version, a.expires_at, a.earned_at, l.expires_at,
    l.since) as found
from allotment a
join lot l on l.bucket = a.bucket and l.customer_uid = a.customer_uid and l.version = a.version
where a.bucket between $1 and $2
  and (a.expires_at is not null or a.earned_at is not null)
  and (l.since not in (a.allotted_at, coalesce(a.earned_at, a.allotted_at))
    or l.expires_at < a.expires_at
    or l.expires_at > a.expires_at and not exists (
      select
      from reservation r
      where r.bucket = a.bucket and r.customer_uid = a.customer_uid and r.ended_at >= a.expires_at))`,
  },
  {
    name: "customers",
    says: "every balance has a customer and the same state of deletion, every storefront id leads to a balance, and a customer's id to that customer's balance",
    text: `select b.customer_uid, 'the balance has no customer' as found
from balance b
left join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
where b.bucket between $1 and $2 and c.customer_uid is null
union all
select b.customer_uid,
  format('deleted: %s; the balance says %s', c.deleted_at is not null, b.is_deleted) as found
from balance b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
where b.bucket between $1 and $2 and b.is_deleted <> (c.deleted_at is not null)
union all
select a.customer_uid, format('storefront id %s leads to no balance', a.storefront_id) as found
from customer_alias a
left join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid
where a.bucket between $1 and $2 and b.customer_uid is null
union all
select c.customer_uid,
  format('storefront id %s leads to %s', c.storefront_id, coalesce('customer ' || a.customer_uid, 'nobody')) as found
from customer c
left join customer_alias a on a.storefront_id = c.storefront_id
where c.bucket between $1 and $2
  and c.deleted_at is null -- a merged customer's id leads to the surviving one
  and (a.bucket, a.customer_uid) is distinct from (c.bucket, c.customer_uid)`,
  },
  {
    name: "merges",
    says: "a merged balance is empty, all its points went to the surviving one, and no storefront id leads to it",
    // Each part runs separately, so that Citus can run it: the two customers of a merge may be on different nodes.
    text: `with merged as materialized (
  select *
  from balance
  where bucket between $1 and $2
    and merged_into is not null),
kept as materialized (
  select k.bucket, k.customer_uid
  from balance k
  join (
    select distinct ('x' || right(m.merged_into::text, 2))::bit(8)::int::smallint as bucket, m.merged_into as customer_uid
    from merged m) w on w.bucket = k.bucket and w.customer_uid = k.customer_uid
  where k.merged_into is null),
carried as materialized (
  select m.customer_uid,
    -min(p.point_value) filter (where p.customer_uid = m.customer_uid) as points,
    sum(p.point_value) filter (where p.customer_uid <> m.customer_uid) as came
  from merged m
  join allotment p on p.source_key not like 'api/%'
    and p.source_key >= 'merge/' || m.customer_uid
    and p.source_key < 'merge/' || m.customer_uid || 'a'
  group by m.customer_uid),
deletions as materialized (
  select d.customer_uid, -sum(d.point_value) as points
  from merged m
  join allotment d on d.bucket = m.bucket and d.customer_uid = m.customer_uid
  where d.type = 'deletion'
  group by d.customer_uid)
select b.customer_uid,
  format('merged into %s, it has %s points, %s held, %s owed; closed with %s, of which %s came', b.merged_into, b.ledger_points,
    b.held_points, b.owed_points, coalesce(a.points, 0), coalesce(a.came, 0)) as found
from merged b
left join kept k on k.customer_uid = b.merged_into
left join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
left join customer_alias i on i.customer_uid = b.customer_uid and i.bucket = b.bucket
left join carried a on a.customer_uid = b.customer_uid
left join deletions d on d.customer_uid = b.customer_uid
where k.customer_uid is null
  or i.customer_uid is not null
  or b.ledger_points <> 0
  or b.held_points <> 0
  or b.owed_points <> 0
  or (a.points is not null and c.deleted_at is null
    and coalesce(a.came, 0) not in (a.points, a.points + coalesce(d.points, 0)))`,
  },
  RETURNED_DATES_CHECK,
  ...HOLD_CHECKS,
];

/** Returns the query of a single check. */
export function scanOf({ name, says, text }: LedgerCheck): LedgerScan {
  return { checks: [{ name, says }], text };
}

/** Every query that `pointkeeper verify` runs on the ledger. */
export const LEDGER_SCANS: readonly LedgerScan[] = [HISTORY_CHECKS, LOT_SCAN, ...OWN_CHECKS.map(scanOf)];
