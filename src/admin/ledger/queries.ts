import type { Param, Queryable } from "../../db/pool.ts";
import { allotmentNotes } from "../../imports/queries.ts";
import type { LedgerFilters, LedgerPath } from "./filters.ts";

const NOTES = allotmentNotes("a");

/** A place in the ledger: newest first, an allotment's time and uid. */
export interface Position {
  readonly allottedAt: Temporal.Instant;
  readonly uid: string;
}

/** Before all there is. */
export const NEWEST: Position = {
  allottedAt: Temporal.Instant.from("9999-12-31T00:00:00Z"),
  uid: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

/** An allotment as the ledger shows it. */
export interface LedgerEntry extends Position {
  readonly type: string;
  readonly pointValue: bigint;
  readonly balanceAfter: bigint;
  readonly object: string | null;
  readonly parent: string | null;
  readonly action: string | null;
  readonly appReference: string;
  readonly reasonType: string | null;
  readonly note: string | null;
  readonly actor: string | null;
  readonly storefrontId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly isDeleted: boolean;
}

const BEHIND = `(a.allotted_at, a.uid) < ($1, $2)
    and ($3::timestamptz is null or a.allotted_at >= $3)`;
const NEWEST_FIRST = "order by a.allotted_at desc, a.uid desc";

/**
 * The allotments behind a position, newest first, as one index gives them; `cut` ends them. Each takes the same parameters: the
 * position, from when on, types, customer, order.
 */
const WALKS: Readonly<Record<LedgerPath, (cut: string) => string>> = {
  time: (cut) => `select a.*
  from allotment a
  where ${BEHIND}
  ${NEWEST_FIRST}
  ${cut}`,
  type: (cut) => `select a.*
  from allotment a
  where a.type = ($4::text[])[1]
    and ${BEHIND}
  ${NEWEST_FIRST}
  ${cut}`,
  types: (cut) => `select w.*
  from unnest($4::text[]) as t (type)
  cross join lateral (
    select a.*
    from allotment a
    where a.type = t.type
      and ${BEHIND}
    ${NEWEST_FIRST}
    ${cut}) w`,
  // The position's own version is where the walk begins: a customer's versions rise with their times.
  customer: (cut) => `select a.*
  from allotment a
  where a.bucket = $5
    and a.customer_uid = $6
    and a.version < coalesce(
      (select p.version from allotment p where p.uid = $2 and p.bucket = $5 and p.customer_uid = $6),
      9223372036854775807)
    and ${BEHIND}
  order by a.version desc
  ${cut}`,
  order: (cut) => `select a.*
  from (
    select p.bucket, p.customer_uid, p.version
    from order_posting p
    where p.order_id = $7
      and p.version is not null
    union
    select u.bucket, u.customer_uid, u.debit_version
    from coupon_use u
    where u.order_id = $7
      and u.is_late
      and u.debit_version is not null) o
  join allotment a on a.bucket = o.bucket and a.customer_uid = o.customer_uid and a.version = o.version
  where ${BEHIND}
  ${NEWEST_FIRST}
  ${cut}`,
};

const MATCHES = `(cardinality($4::text[]) = 0 or a.type = any($4))
  and ($6::uuid is null or a.bucket = $5::smallint and a.customer_uid = $6)
  and ($7::text is null or a.parent = 'order-' || $7)
  and ($8::text is null or $8 in (a.app_reference, a.object, a.parent, a.action, ${NOTES.actor}))
  and ($9::int is null or sign(a.point_value) = $9)
  and ($10::bigint is null or abs(a.point_value) >= $10)
  and ($11::bigint is null or abs(a.point_value) <= $11)`;

const page = (walk: string, rows: number) => `select a.uid,
  a.allotted_at as "allottedAt",
  a.type,
  a.point_value as "pointValue",
  a.balance_after as "balanceAfter",
  a.object,
  a.parent,
  a.action,
  a.app_reference as "appReference",
  a.reason_type as "reasonType",
  a.note,
  a.actor,
  c.storefront_id as "storefrontId",
  c.name,
  c.email,
  c.deleted_at is not null and b.merged_into is null as "isDeleted"
from (
  select a.*, ${NOTES.note}, ${NOTES.actor} as actor
  from (
  ${walk}) a
  ${NOTES.join}
  where ${MATCHES}
  ${NEWEST_FIRST}
  limit ${rows}) a
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid
${NEWEST_FIRST}`;

// A statement has to name each parameter that it is given.
const end = (walk: string) => `with given as (
  select $4::text[], $5::smallint, $6::uuid, $7::text)
select a.uid,
  a.allotted_at as "allottedAt"
from (
  ${walk}) a
${NEWEST_FIRST}
limit 1`;

const sums = (walk: string) => `select count(*) as count,
  coalesce(sum(a.point_value) filter (where a.point_value > 0), 0)::text as earned,
  coalesce(sum(a.point_value) filter (where a.point_value < 0), 0)::text as spent
from (
  ${walk}) a
${NOTES.join}
where ${MATCHES}`;

/** Newest rows that match, of the `look` (a type's, where there are several) behind a position that are looked at. */
export function selectPage(
  db: Queryable,
  filters: LedgerFilters,
  at: Position,
  { path, look, rows }: { readonly path: LedgerPath; readonly look: number; readonly rows: number },
): Promise<LedgerEntry[]> {
  return db.query<LedgerEntry>(page(WALKS[path](`limit ${look}`), rows), walkParams(filters, at).concat(rest(filters)));
}

/** The last place up to which `look` rows (a type's, where there are several) reach; undefined: they reach the end. */
export async function selectLookEnd(
  db: Queryable,
  filters: LedgerFilters,
  at: Position,
  { path, look }: { readonly path: LedgerPath; readonly look: number },
): Promise<Position | undefined> {
  const text = end(WALKS[path](`limit 1 offset ${look - 1}`));
  const [position] = await db.query<Position>(text, walkParams(filters, at));
  return position;
}

export interface Sums {
  readonly count: bigint;
  /** Digits: more may have come and gone than a bigint holds. */
  readonly earned: string;
  /** At most 0. */
  readonly spent: string;
}

/** Count and sums of what matches among the first `look` rows. */
export async function selectSums(
  db: Queryable,
  filters: LedgerFilters,
  { path, look }: { readonly path: LedgerPath; readonly look: number },
): Promise<Sums> {
  const text = sums(WALKS[path](`limit ${look}`));
  const [row] = await db.query<Sums>(text, walkParams(filters, NEWEST).concat(rest(filters)));
  if (row === undefined) throw new Error("an aggregate has one row");
  return row;
}

function walkParams({ from, to, types, customer, orderId }: LedgerFilters, at: Position): Param[] {
  const start = to !== null && Temporal.Instant.compare(to, at.allottedAt) <= 0 ? beforeTime(to) : at;
  const ref = [customer?.bucket ?? null, customer?.customerUid ?? null];
  return [start.allottedAt, start.uid, from, types, ...ref, orderId];
}

/** Behind everything of that time and later. */
function beforeTime(allottedAt: Temporal.Instant): Position {
  return { allottedAt, uid: "00000000-0000-0000-0000-000000000000" };
}

function rest({ source, direction, atLeast, atMost }: LedgerFilters): Param[] {
  const sign = direction === null ? null : direction === "earned" ? 1 : -1;
  return [source, sign, atLeast, atMost];
}
