import type { Queryable } from "../../db/pool.ts";
import { compareInstants, laterOf } from "../compare-instants.ts";
import type { CustomerRef } from "../customer-ref.ts";
import type { ExpiryRules } from "../expiry/expiry.ts";
import type { Lot } from "../lots/lots.ts";
import { OPENS_OWN_LOTS } from "../verify/lot-date-checks.ts";
import type { BalanceAt } from "./balance-snapshot.ts";
import { datesBefore, type PastDates } from "./dates-before.ts";

const VERSION_AT = `select coalesce((
    select max(a.version)
    from allotment a
    where a.bucket = $1
      and a.customer_uid = b.customer_uid
      and ($3::timestamptz is null or a.allotted_at <= $3)), 0)::bigint as version
from balance b
where b.bucket = $1
  and b.customer_uid = $2`;

const LEDGER_AT = `select coalesce((
    select a.balance_after
    from allotment a
    where a.bucket = $1 and a.customer_uid = $2 and a.version = $3), 0)::bigint as "ledgerPoints", (
    select a.allotted_at
    from allotment a
    where a.bucket = $1 and a.customer_uid = $2 and a.version <= $3 and a.extends
    order by a.version desc
    limit 1) as "activeAt"`;

// Activity of customers who had been merged into this one counts too: the row of a merged customer is emptied by the merge. Materialized: Citus then
// finds these customers by key, and would otherwise send all deleted ones to each node (decision 93).
const MERGED_ACTIVE_AT = `with o as materialized (
  select o.bucket, o.customer_uid, max(a.allotted_at) as active_at
  from balance o
  join allotment a on a.bucket = o.bucket and a.customer_uid = o.customer_uid
  where o.merged_into = $1 and a.extends
  group by o.bucket, o.customer_uid)
select max(o.active_at) as "activeAt"
from o
join customer c on c.bucket = o.bucket and c.customer_uid = o.customer_uid
where c.deleted_at <= $2`;

// A hold ends with the allotment that captures it, with its release, or by itself: at its end, if that is not written yet. Before a merge that
// moved it, it was the merged customer's.
const HOLDS_AT = `select r.uid,
  r.point_value as points,
  case when r.expires_at <= $4 then r.expires_at end as at
from reservation r
where r.bucket = $1
  and r.customer_uid = $2
  and r.held_at <= $4
  and coalesce(r.moved_at, r.held_at) <= $4
  and case r.state
    when 'held' then true
    when 'captured' then r.captured_version > $3
    else r.ended_at > $4
  end
order by r.expires_at, r.uid`;

// What a lot held then is what it holds now plus what was drawn from it since; a lot that was used up since is only in its draws.
const LOTS_AT = `select l.version,
  l.part,
  sum(l.points)::bigint as remaining,
  l.expires_at as "expiresAt",
  l.since,
  l.extends,
  l.origin
from (
  select version, part, remaining as points, expires_at, since, extends, origin
  from lot
  where bucket = $1 and customer_uid = $2 and version <= $3
  union all
  select lot_version, part, points, lot_expires_at, lot_since, lot_extends, lot_origin
  from draw
  where bucket = $1 and customer_uid = $2 and by_version > $3 and lot_version <= $3) l
group by l.version, l.part, l.expires_at, l.since, l.extends, l.origin
order by l.version, l.part`;

const HOLD_ENDS = `select r.ended_at as "endedAt"
from reservation r
where r.bucket = $1
  and r.customer_uid = $2
  and r.ended_at is not null`;

const GIVEN_DATES = `select a.version,
  a.expires_at as "expiresAt"
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version = any($3::bigint[])
  and ${OPENS_OWN_LOTS}`;

interface HoldRow {
  readonly uid: string;
  readonly points: bigint;
  readonly at: Temporal.Instant | null;
}

/**
 * Returns a customer's balance at a moment, computed only from allotments, draws, lots and holds; undefined if there is no balance. With `newest`,
 * all existing allotments count, including those of the moment's own instant. History never changes, so the result for a past moment is always the
 * same, by the rules of that moment. Call it in a snapshot.
 */
export async function readBalanceAt(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { at, newest, rules }: { readonly at: Temporal.Instant; readonly newest: boolean; readonly rules: ExpiryRules },
): Promise<BalanceAt | undefined> {
  const key = [bucket, customerUid] as const;
  const [found] = await queryable.query<{ version: bigint }>(VERSION_AT, [...key, newest ? null : at]);
  if (found === undefined) return undefined;
  const { version } = found;
  const [[own], [merged], holds, lots] = await Promise.all([
    queryable.query<Pick<BalanceAt, "ledgerPoints" | "activeAt">>(LEDGER_AT, [...key, version]),
    queryable.query<Pick<BalanceAt, "activeAt">>(MERGED_ACTIVE_AT, [customerUid, at]),
    queryable.query<HoldRow>(HOLDS_AT, [...key, version, at]),
    queryable.query<Lot>(LOTS_AT, [...key, version]),
  ]);
  if (own === undefined) throw new Error("a statement without a table answered no row");
  const ledger = { ledgerPoints: own.ledgerPoints, activeAt: laterOf(own.activeAt, merged?.activeAt ?? null) };
  const past = newest ? null : await readPastDates(queryable, key, { lots, at });
  const held = holds.reduce((total, { points }) => total + points, 0n);
  const isBrought = held > ledger.ledgerPoints; // an earlier version did not store when a merge brought holds along
  return {
    ...{ bucket, customerUid, version },
    ...ledger,
    lots: past === null ? lots : datesBefore(lots, { ...past, activeAt: ledger.activeAt }, rules, at),
    heldPoints: isBrought ? ledger.ledgerPoints : held,
    holdEnds: isBrought
      ? []
      : holds.flatMap((hold) => (hold.at === null ? [] : [{ ...hold, at: hold.at, captured: 0n }])),
  };
}

/** Reads what may have dated lots anew since a moment; null: no hold has ended since. */
async function readPastDates(
  queryable: Queryable,
  key: readonly [bucket: number, customerUid: string],
  { lots, at }: { readonly lots: readonly Lot[]; readonly at: Temporal.Instant },
): Promise<Omit<PastDates, "activeAt"> | null> {
  const versions = lots.flatMap(({ version, expiresAt }) => (expiresAt === null ? [] : [version]));
  if (versions.length === 0) return null;
  const holdEnds = (await queryable.query<{ endedAt: Temporal.Instant }>(HOLD_ENDS, key)).map((row) => row.endedAt);
  if (!holdEnds.some((end) => compareInstants(end, at) > 0)) return null;
  const dates = await queryable.query<Pick<Lot, "version" | "expiresAt">>(GIVEN_DATES, [...key, versions]);
  return { holdEnds, given: new Map(dates.map(({ version, expiresAt }) => [version, expiresAt])) };
}
