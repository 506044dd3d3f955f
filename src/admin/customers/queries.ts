import type { Queryable } from "../../db/pool.ts";
import { allotmentNotes } from "../../imports/queries.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";
import { allOf, createBinder, READ_ROWS } from "../list.ts";

const NOTES = allotmentNotes("a");

/** Run first in a snapshot that may read every customer: it limits each statement to 3 seconds. */
export const SCAN_BRIEFLY = "set local statement_timeout = '3s'";

/** A customer as a list shows it, without the points. */
export interface ListedCustomer extends CustomerRef {
  readonly storefrontId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly tierUid: string | null;
  readonly ledgerPoints: bigint;
  readonly lastAllottedAt: Temporal.Instant | null;
  readonly createdAt: Temporal.Instant;
  readonly deletedAt: Temporal.Instant | null;
}

/** The select list of `ListedCustomer` over `balance b` and `c`, customers with their `tier_uid`. */
export const LISTED_COLUMNS = `c.bucket,
  c.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  c.name,
  c.email,
  c.tier_uid as "tierUid",
  b.ledger_points as "ledgerPoints",
  b.last_allotted_at as "lastAllottedAt",
  c.created_at as "createdAt",
  c.deleted_at as "deletedAt"`;
export const JOIN_TIER = "left join customer_tier t on t.bucket = c.bucket and t.customer_uid = c.customer_uid";
const JOIN_BALANCE = "join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid";

// What stays on the coordinator of a Citus is one subquery: it joins only these rows to the balances, not each of the tables as a whole.
const BY_REFS = `select ${LISTED_COLUMNS}
from (
  select c.*, t.tier_uid, w.n
  from unnest($1::smallint[], $2::uuid[]) with ordinality as w (bucket, customer_uid, n)
  join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid
  ${JOIN_TIER}) c
${JOIN_BALANCE}
order by c.n`;

/** Returns the given customers, in the same order. */
export function selectListedCustomers(queryable: Queryable, refs: readonly CustomerRef[]): Promise<ListedCustomer[]> {
  const keys = refKeys(refs);
  return queryable.query<ListedCustomer>(BY_REFS, keys);
}

const NEWEST = `select ${LISTED_COLUMNS}
from (
  select c.*, t.tier_uid
  from (
    select *
    from customer
    where deleted_at is null
      and (created_at, customer_uid) < ($1, $2)
    order by created_at desc, customer_uid desc
    limit $3) c
  ${JOIN_TIER}) c
${JOIN_BALANCE}
order by c.created_at desc, c.customer_uid desc`;

/** Returns a page of customers, newest first. */
export function selectNewest(
  queryable: Queryable,
  { createdAt, customerUid }: { readonly createdAt: Temporal.Instant; readonly customerUid: string },
  rows: number = READ_ROWS,
): Promise<ListedCustomer[]> {
  return queryable.query<ListedCustomer>(NEWEST, [createdAt, customerUid, rows]);
}

const OF_TIER = `select ${LISTED_COLUMNS}
from (
  select c.*, t.tier_uid
  from customer_tier t
  join customer c on c.bucket = t.bucket and c.customer_uid = t.customer_uid
  where t.tier_uid = $1
    and t.customer_uid < $2
    and c.deleted_at is null
  order by t.customer_uid desc
  limit $3) c
${JOIN_BALANCE}
order by c.customer_uid desc`;

const OF_DEFAULT_TIER = `select ${LISTED_COLUMNS}
from (
  select c.*, t.tier_uid
  from customer c
  ${JOIN_TIER}
  where c.deleted_at is null
    and (c.created_at, c.customer_uid) < ($2, $3)
    and (t.tier_uid is null or t.tier_uid <> all($1))
  order by c.created_at desc, c.customer_uid desc
  limit $4) c
${JOIN_BALANCE}
order by c.created_at desc, c.customer_uid desc`;

/** Returns a page of a tier's members, newest first: those who were placed there by a person or a check. */
export function selectMembersOfTier(
  queryable: Queryable,
  tierUid: string,
  beforeUid: string,
  rows: number = READ_ROWS,
): Promise<ListedCustomer[]> {
  return queryable.query<ListedCustomer>(OF_TIER, [tierUid, beforeUid, rows]);
}

/** Returns a page of the customers who are in none of the other tiers, newest first: the members of the default tier. */
export function selectMembersOfDefaultTier(
  queryable: Queryable,
  otherUids: readonly string[],
  { createdAt, customerUid }: { readonly createdAt: Temporal.Instant; readonly customerUid: string },
  rows: number = READ_ROWS,
): Promise<ListedCustomer[]> {
  return queryable.query<ListedCustomer>(OF_DEFAULT_TIER, [otherUids, createdAt, customerUid, rows]);
}

/** An allotment of a customer, as the timeline shows it. */
export interface TimelineRow {
  readonly uid: string;
  readonly version: bigint;
  readonly type: string;
  readonly pointValue: bigint;
  readonly balanceAfter: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly sourceKey: string;
  readonly appReference: string;
  readonly object: string | null;
  readonly parent: string | null;
  readonly action: string | null;
  readonly origin: string | null;
  readonly reasonType: string | null;
  readonly earnedAt: Temporal.Instant | null;
  /** The points' own expiry. */
  readonly ownDate: Temporal.Instant | null;
  readonly extends: boolean;
  readonly note: string | null;
  readonly actor: string | null;
  readonly approvedBy: string | null;
  readonly undoneBy: string | null;
}

type TimelineParts = Readonly<Record<"conditions" | "limit" | "bucket" | "sources", string>>;

// materialized: on a Citus all of it is read on the customer's node. What is joined to it is on the coordinator: of an allotment that another one
// undid, `counted_source` has the uid.
const timeline = ({ conditions, limit, bucket, sources }: TimelineParts) => `with a as materialized (
  select a.*, ${NOTES.note}, n.actor
  from (
    select *
    from allotment
    where ${conditions}
    order by version desc
    limit ${limit}) a
  ${NOTES.joinNote} and n.bucket = ${bucket})
select a.uid,
  a.version,
  a.type,
  a.point_value as "pointValue",
  a.balance_after as "balanceAfter",
  a.allotted_at as "allottedAt",
  a.source_key as "sourceKey",
  a.app_reference as "appReference",
  a.object,
  a.parent,
  a.action,
  a.origin,
  a.reason_type as "reasonType",
  a.earned_at as "earnedAt",
  a.expires_at as "ownDate",
  a.extends,
  a.note,
  coalesce(a.actor, ni.started_by) as actor,
  r.decided_name as "approvedBy",
  u.uid as "undoneBy"
from a
${NOTES.joinImport}
left join adjustment_request r on r.allotment_uid = a.uid and a.type = 'manual'
left join ${sources} u on u.source_key = 'undo/' || a.uid and u.source_key not like 'api/%' and a.type = 'manual'
order by a.version desc`;

/** Returns a page of a customer's allotments before a version, newest first. */
export async function selectTimeline(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { before, type }: { readonly before: bigint; readonly type: string | null },
): Promise<TimelineRow[]> {
  const { params, bind, bindIf } = createBinder();
  const ofBucket = bind(bucket);
  const conditions = allOf([
    `bucket = ${ofBucket}`,
    `customer_uid = ${bind(customerUid)}`,
    `version < ${bind(before)}`,
    bindIf(type, (n) => `type = ${n}`),
  ]);
  const sources = (await queryable.isDistributed()) ? "counted_source" : "allotment";
  const text = timeline({ conditions, limit: bind(READ_ROWS), bucket: ofBucket, sources });
  return queryable.query<TimelineRow>(text, params);
}
