import type { Queryable } from "../../db/pool.ts";
import { allotmentNotes } from "../../imports/queries.ts";
import { allOf, type Binder, createBinder, NEWEST, type TimePosition } from "../list.ts";
import type { LedgerFilters, LedgerPath } from "./filters.ts";

const NOTES = allotmentNotes("a");

/** An allotment as the ledger shows it. */
export interface LedgerEntry {
  readonly uid: string;
  readonly allottedAt: Temporal.Instant;
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

const NEWEST_FIRST = "order by a.allotted_at desc, a.uid desc";

/** The parts of a walk that come from the filters and the position, each a condition or parameter in SQL. */
interface WalkParts {
  readonly binder: Binder;
  readonly filters: LedgerFilters;
  /** The uid of the position. */
  readonly startUid: string;
  /** The rows after the position and within the time range. */
  readonly behind: string;
  /** The limit of the walk. */
  readonly cut: string;
}

/** SQL for the allotments after a position, newest first, in the order of one index. */
const WALKS: Readonly<Record<LedgerPath, (parts: WalkParts) => string>> = {
  time: ({ behind, cut }) => `select a.*
  from allotment a
  where ${behind}
  ${NEWEST_FIRST}
  ${cut}`,
  type: ({ binder, filters, behind, cut }) => `select a.*
  from allotment a
  where a.type = ${binder.bind(filters.types[0] ?? null)}
    and ${behind}
  ${NEWEST_FIRST}
  ${cut}`,
  // A part for each type: Citus refuses a lateral join with a limit.
  types: ({ binder, filters, behind, cut }) =>
    filters.types
      .map(
        (type) => `(select a.*
    from allotment a
    where a.type = ${binder.bind(type)}
      and ${behind}
    ${NEWEST_FIRST}
    ${cut})`,
      )
      .join("\n  union all\n  "),
  // The walk begins at the position's own version: a customer's versions rise with their times.
  customer: ({ binder, filters, startUid, behind, cut }) => {
    const bucket = binder.bind(filters.customer?.bucket ?? null);
    const customerUid = binder.bind(filters.customer?.customerUid ?? null);
    return `select a.*
  from allotment a
  where a.bucket = ${bucket}
    and a.customer_uid = ${customerUid}
    and a.version < coalesce(
      (select p.version
      from allotment p
      where p.uid = ${startUid}
        and p.bucket = ${bucket}
        and p.customer_uid = ${customerUid}),
      9223372036854775807)
    and ${behind}
  order by a.version desc
  ${cut}`;
  },
  order: ({ binder, filters, behind, cut }) => {
    const orderId = binder.bind(filters.orderId);
    return `select a.*
  from (
    select p.bucket, p.customer_uid, p.version
    from order_posting p
    where p.order_id = ${orderId}
      and p.version is not null
    union
    select u.bucket, u.customer_uid, u.debit_version
    from coupon_use u
    where u.order_id = ${orderId}
      and u.is_late
      and u.debit_version is not null) o
  join allotment a on a.bucket = o.bucket and a.customer_uid = o.customer_uid and a.version = o.version
  where ${behind}
  ${NEWEST_FIRST}
  ${cut}`;
  },
};

/** Sorts after every row of the same time. */
const FIRST_UID = "00000000-0000-0000-0000-000000000000";

const SIGNS = { earned: 1, spent: -1 } as const;

/** Returns the conditions of the given filters on the rows `a` of a walk and their notes. */
function matches({ bind, bindIf }: Binder, filters: LedgerFilters): string {
  const { types, customer, orderId, source, direction, atLeast, atMost } = filters;
  return allOf([
    types.length === 0 ? null : `a.type = any(${bind(types)})`,
    customer === null ? null : `a.bucket = ${bind(customer.bucket)} and a.customer_uid = ${bind(customer.customerUid)}`,
    bindIf(orderId, (n) => `a.parent = 'order-' || ${n}::text`),
    bindIf(source, (n) => `${n} in (a.app_reference, a.object, a.parent, a.action, ${NOTES.actor})`),
    direction === null ? null : `sign(a.point_value) = ${SIGNS[direction]}`,
    bindIf(atLeast, (n) => `abs(a.point_value) >= ${n}`),
    bindIf(atMost, (n) => `abs(a.point_value) <= ${n}`),
  ]);
}

const plainRows = (walk: string) => `(
  ${walk}) a
${NOTES.join}`;

// Citus would bring all notes to the coordinator where it joins them to rows that are there.
const distributedRows = (walk: string) => `(
  ${walk}) a
left join (
  select n.bucket, n.customer_uid, n.version, n.note, n.actor
  from (
  ${walk}) a
  join allotment_note n on n.bucket = a.bucket and n.customer_uid = a.customer_uid and n.version = a.version) n
  on n.bucket = a.bucket and n.customer_uid = a.customer_uid and n.version = a.version
${NOTES.joinImport}`;

/** SQL for the rows `a` of a walk with their notes, as the database needs it. */
export async function withNotes(db: Queryable, walk: string): Promise<string> {
  return (await db.isDistributed()) ? distributedRows(walk) : plainRows(walk);
}

// materialized: Citus then finds the customers of these rows by key. It would otherwise send all customers to each node.
const page = (from: string, conditions: string, rows: number) => `with a as materialized (
  select a.*, b.merged_into
  from (
    select a.*, ${NOTES.note}, ${NOTES.actor} as actor
    from ${from}
    where ${conditions}
    ${NEWEST_FIRST}
    limit ${rows}) a
  join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid)
select a.uid,
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
  c.deleted_at is not null and a.merged_into is null as "isDeleted"
from a
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
${NEWEST_FIRST}`;

const end = (walk: string) => `select a.uid as id,
  a.allotted_at as at
from (
  ${walk}) a
${NEWEST_FIRST}
limit 1`;

const sums = (from: string, conditions: string) => `select count(*) as count,
  coalesce(sum(a.point_value) filter (where a.point_value > 0), 0)::text as earned,
  coalesce(sum(a.point_value) filter (where a.point_value < 0), 0)::text as spent
from ${from}
where ${conditions}`;

/** Returns the newest matching rows among the next `look` rows after a position (per type, if there are several). */
export async function selectPage(
  db: Queryable,
  filters: LedgerFilters,
  at: TimePosition,
  { path, look, rows }: { readonly path: LedgerPath; readonly look: number; readonly rows: number },
): Promise<LedgerEntry[]> {
  const binder = createBinder();
  const from = await withNotes(db, walkOf(binder, filters, at, { path, cut: `limit ${look}` }));
  return db.query<LedgerEntry>(page(from, matches(binder, filters), rows), binder.params);
}

/** Returns the position of the `look`th row after a position (per type, if there are several); undefined: there are fewer rows. */
export async function selectLookEnd(
  db: Queryable,
  filters: LedgerFilters,
  at: TimePosition,
  { path, look }: { readonly path: LedgerPath; readonly look: number },
): Promise<TimePosition | undefined> {
  const binder = createBinder();
  const walk = walkOf(binder, filters, at, { path, cut: `limit 1 offset ${look - 1}` });
  const [position] = await db.query<TimePosition>(end(walk), binder.params);
  return position;
}

const exceeds = (walk: string, look: number) => `select from (
  ${walk}) a
limit 1
offset ${look}`;

/** Returns whether more than `look` rows would be read for sums, of all types together. */
export async function exceedsLook(
  db: Queryable,
  filters: LedgerFilters,
  { path, look }: { readonly path: LedgerPath; readonly look: number },
): Promise<boolean> {
  const binder = createBinder();
  const walk = walkOf(binder, filters, NEWEST, { path, cut: `limit ${look + 1}` });
  return (await db.query(exceeds(walk, look), binder.params)).length > 0;
}

export interface Sums {
  readonly count: bigint;
  /** Decimal digits, because the sum may exceed a bigint of the database. */
  readonly earned: string;
  /** At most 0. */
  readonly spent: string;
}

/** Returns count and sums of the matching rows among the first `look` (per type, if there are several). */
export async function selectLedgerSums(
  db: Queryable,
  filters: LedgerFilters,
  { path, look }: { readonly path: LedgerPath; readonly look: number },
): Promise<Sums> {
  const binder = createBinder();
  const from = await withNotes(db, walkOf(binder, filters, NEWEST, { path, cut: `limit ${look}` }));
  const [row] = await db.query<Sums>(sums(from, matches(binder, filters)), binder.params);
  if (row === undefined) throw new Error("an aggregate has one row");
  return row;
}

function walkOf(
  binder: Binder,
  filters: LedgerFilters,
  at: TimePosition,
  { path, cut }: { readonly path: LedgerPath; readonly cut: string },
): string {
  const { from, to } = filters;
  const isEndBefore = to !== null && Temporal.Instant.compare(to, at.at) <= 0;
  const start = isEndBefore ? { at: to, id: FIRST_UID } : at;
  const startUid = binder.bind(start.id);
  const behind = allOf([
    `(a.allotted_at, a.uid) < (${binder.bind(start.at)}, ${startUid})`,
    binder.bindIf(from, (n) => `a.allotted_at >= ${n}`),
  ]);
  return WALKS[path]({ binder, filters, startUid, behind, cut });
}
