import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import type { SpendWindow } from "./check-dates.ts";

/** A customer's tier as it is stored. */
export interface StoredTier {
  /** null: the default tier. */
  readonly tierUid: string | null;
  readonly minimumTierUid: string | null;
  readonly skipNextCheck: boolean;
  /** No check places the customer below it before `keptUntil`; null or absent: none is kept. */
  readonly keptTierUid?: string | null;
  readonly keptUntil?: Temporal.Instant | null;
}

/** The standing of a customer who was never placed. */
export const NEVER_PLACED: StoredTier = { tierUid: null, minimumTierUid: null, skipNextCheck: false };

const SELECT_TIER = `select t.tier_uid as "tierUid",
  t.minimum_tier_uid as "minimumTierUid",
  t.skip_next_check as "skipNextCheck",
  t.kept_tier_uid as "keptTierUid",
  t.kept_until as "keptUntil"
from customer_tier t
where t.bucket = $1
  and t.customer_uid = $2`;

// If nothing changed after the instant, the present tier: a clock that went back may have dated the last change before the one that it replaced.
// Otherwise the last change by then decides, and before the first change its previous tier. A merged customer has no present tier any more.
const SELECT_TIERS_AT = `select coalesce(
  case
    when not exists (
      select
      from tier_change h
      where h.bucket = w.bucket and h.customer_uid = w.customer_uid and h.changed_at > w.at)
    then (
      select t.tier_uid
      from customer_tier t
      where t.bucket = w.bucket and t.customer_uid = w.customer_uid)
  end,
  (select h.to_uid
    from tier_change h
    where h.bucket = w.bucket and h.customer_uid = w.customer_uid and h.changed_at <= w.at
    order by h.changed_at desc, h.uid desc
    limit 1),
  (select h.from_uid
    from tier_change h
    where h.bucket = w.bucket and h.customer_uid = w.customer_uid and h.changed_at > w.at
    order by h.changed_at, h.uid
    limit 1)) as "tierUid"
from unnest($1::smallint[], $2::uuid[], $3::timestamptz[]) with ordinality as w (bucket, customer_uid, at, n)
order by w.n`;

const SELECT_SPENT = `select ${spendSum("sum(s.spend_minor)")} as spent
from (
  select o.spend_minor
  from order_spend o
  where o.bucket = $1
    and o.customer_uid = $2
    and o.credited_at >= $3
    and o.credited_at < $4
  union all
  select b.spend_minor
  from customer_spend_base b
  where b.bucket = $1
    and b.customer_uid = $2
    and b.as_of >= $3
    and b.as_of < $4) s`;

/** A row of `tier_change`. */
export interface StoredTierChange {
  readonly changedAt: Temporal.Instant;
  readonly fromUid: string | null;
  readonly toUid: string | null;
  readonly fromName: string | null;
  readonly toName: string | null;
  readonly cause: "api" | "check" | "program" | "manual";
  readonly actor: string | null;
  /** In minor units; null: the spend was not read. */
  readonly spendMinor: bigint | null;
  readonly checkAt: Temporal.Instant | null;
  /** The version of the rules that decided; null: a person did. */
  readonly programVersion: number | null;
}

const SELECT_CHANGES = `select h.changed_at as "changedAt",
  h.from_uid as "fromUid",
  h.to_uid as "toUid",
  h.from_name as "fromName",
  h.to_name as "toName",
  h.cause,
  h.actor,
  h.spend_minor as "spendMinor",
  h.check_at as "checkAt",
  h.program_version as "programVersion"
from tier_change h
where h.bucket = $1
  and h.customer_uid = $2
order by h.changed_at desc, h.uid desc
offset $3
limit $4`;

/** Returns the changes of a customer's tier, newest first. */
export function selectTierChanges(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<StoredTierChange[]> {
  return queryable.query<StoredTierChange>(SELECT_CHANGES, [bucket, customerUid, offset, limit]);
}

/** A change of a tier with its place in the change feed. */
export interface FedTierChange {
  readonly uid: string;
  readonly customerUid: string;
  readonly changedAt: Temporal.Instant;
  readonly fedAt: Temporal.Instant;
  readonly fromUid: string | null;
  readonly toUid: string | null;
  readonly fromName: string | null;
  readonly toName: string | null;
  readonly cause: string;
}

/** Changes of tiers between two places of the feed, without these. */
export interface FedRange {
  readonly after: { readonly at: Temporal.Instant; readonly uid: string };
  readonly before: { readonly at: Temporal.Instant; readonly uid: string };
}

const selectFed = (direction: "asc" | "desc") => `select h.uid,
  h.customer_uid as "customerUid",
  h.changed_at as "changedAt",
  h.fed_at as "fedAt",
  h.from_uid as "fromUid",
  h.to_uid as "toUid",
  h.from_name as "fromName",
  h.to_name as "toName",
  h.cause
from tier_change h
where h.fed_at is not null
  and (h.fed_at, h.uid) > ($1, $2)
  and (h.fed_at, h.uid) < ($3, $4)
order by h.fed_at ${direction}, h.uid ${direction}
limit $5`;

const SELECT_FED = { asc: selectFed("asc"), desc: selectFed("desc") };

/** Returns changes of tiers in the order of the change feed, or from its end. */
export function selectFedTierChanges(
  queryable: Queryable,
  { after, before }: FedRange,
  direction: "asc" | "desc",
  limit: number,
): Promise<FedTierChange[]> {
  return queryable.query<FedTierChange>(SELECT_FED[direction], [after.at, after.uid, before.at, before.uid, limit]);
}

/** Returns the stored tier of a customer. */
export async function selectTier(queryable: Queryable, { bucket, customerUid }: CustomerRef): Promise<StoredTier> {
  const rows = await queryable.query<StoredTier>(SELECT_TIER, [bucket, customerUid]);
  return rows[0] ?? NEVER_PLACED;
}

/** A customer and an instant. */
export interface CustomerMoment {
  readonly customer: CustomerRef;
  readonly instant: Temporal.Instant;
}

/** Returns the uids of the tiers that customers had at instants, in the order of `moments`; null: the default tier. */
export async function selectTiersAt(
  queryable: Queryable,
  moments: readonly CustomerMoment[],
): Promise<readonly (string | null)[]> {
  if (moments.length === 0) return [];
  const rows = await queryable.query<{ tierUid: string | null }>(SELECT_TIERS_AT, [
    moments.map(({ customer }) => customer.bucket),
    moments.map(({ customer }) => customer.customerUid),
    moments.map(({ instant }) => instant),
  ]);
  return rows.map(({ tierUid }) => tierUid);
}

/** Returns the uid of the tier that a customer had at an instant; null: the default tier. */
export async function selectTierAt(
  queryable: Queryable,
  customer: CustomerRef,
  instant: Temporal.Instant,
): Promise<string | null> {
  const [tierUid] = await selectTiersAt(queryable, [{ customer, instant }]);
  return tierUid ?? null;
}

/** Returns what a customer's orders, and money spent elsewhere, count in a window, in minor units (program.md 6). */
export async function selectSpent(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { start, end }: SpendWindow,
): Promise<bigint> {
  const rows = await queryable.query<{ spent: bigint }>(SELECT_SPENT, [bucket, customerUid, start, end]);
  return rows[0]?.spent ?? 0n;
}

const SELECT_SPENT_ELSEWHERE = `select ${spendSum("sum(b.spend_minor)")} as spent
from customer_spend_base b
where b.bucket = $1
  and b.customer_uid = $2
  and b.as_of >= $3
  and b.as_of < $4`;

/** Returns the part of it that was spent in other apps, in minor units. */
export async function selectSpentElsewhere(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { start, end }: SpendWindow,
): Promise<bigint> {
  const rows = await queryable.query<{ spent: bigint }>(SELECT_SPENT_ELSEWHERE, [bucket, customerUid, start, end]);
  return rows[0]?.spent ?? 0n;
}

const SELECT_TIERS = `select t.customer_uid as "customerUid",
  t.tier_uid as "tierUid",
  t.minimum_tier_uid as "minimumTierUid",
  t.skip_next_check as "skipNextCheck",
  t.kept_tier_uid as "keptTierUid",
  t.kept_until as "keptUntil"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer_tier t on t.bucket = k.bucket and t.customer_uid = k.customer_uid`;

/** Returns the stored tiers of some customers, by customer; those who were never placed are absent. */
export async function selectTiers(
  queryable: Pick<Queryable, "query">,
  customers: readonly CustomerRef[],
): Promise<Map<string, StoredTier>> {
  const rows = await queryable.query<StoredTier & { customerUid: string }>(SELECT_TIERS, refKeys(customers));
  return new Map(rows.map(({ customerUid, ...stored }) => [customerUid, stored]));
}

const SELECT_FLOOR_AT = `select s.minimum_tier_uid as "minimumTierUid",
  s.skip_next_check as "skipNextCheck"
from tier_standing s
where s.bucket = $1
  and s.customer_uid = $2
  and s.changed_at <= $3
order by s.changed_at desc
limit 1`;

type StoredFloor = Pick<StoredTier, "minimumTierUid" | "skipNextCheck">;

/** Returns the floor that a customer had at an instant, and whether the next check was to be skipped. */
export async function selectFloorAt(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  instant: Temporal.Instant,
): Promise<StoredFloor> {
  const rows = await queryable.query<StoredFloor>(SELECT_FLOOR_AT, [bucket, customerUid, instant]);
  return rows[0] ?? { minimumTierUid: null, skipNextCheck: false };
}

/**
 * Returns SQL of a sum of spends as a bigint, 0 for none. A sum that exceeds a bigint counts as the largest one: it meets any requirement, and one customer's
 * orders must not stop the check of everybody else.
 * @param sum the aggregate or a column of it
 */
export function spendSum(sum: string): string {
  return `least(coalesce(${sum}, 0), 9223372036854775807)::bigint`;
}
