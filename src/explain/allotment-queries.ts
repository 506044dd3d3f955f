import type { Queryable } from "../db/pool.ts";
import { allotmentNotes } from "../imports/queries.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { ReasonType } from "../wire/allotment-choices.ts";

const NOTES = allotmentNotes("a");

/** An allotment with everything that is stored about it. */
export interface AllotmentFacts extends CustomerRef {
  readonly uid: string;
  readonly version: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly type: AllotmentType;
  readonly pointValue: bigint;
  readonly balanceAfter: bigint;
  readonly sourceKey: string;
  readonly object: string | null;
  readonly parent: string | null;
  readonly action: string | null;
  readonly appReference: string;
  readonly origin: string | null;
  readonly reasonType: ReasonType | null;
  /** When the points were earned, if before they were added; null: when they were added. */
  readonly earnedAt: Temporal.Instant | null;
  /** The points' own expiry date. */
  readonly ownDate: Temporal.Instant | null;
  readonly extends: boolean;
  readonly programVersion: number;
  readonly note: string | null;
  readonly actor: string | null;
  readonly storefrontId: string;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  /** Whether `appReference` is the name of a credential. */
  readonly isCredential: boolean;
  /** The debt that it settled by setting the balance; null: there was none. */
  readonly settledDebt: bigint | null;
  readonly programAuthor: string | null;
  readonly programFrom: Temporal.Instant | null;
}

// materialized: Citus then finds by key what stays on the coordinator. It would otherwise send each of these tables to each node.
const SELECT_ALLOTMENT = `with a as materialized (
  select a.*, ${NOTES.note}, n.actor, b.merged_into, d.points as settled_debt
  from allotment a
  join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid
  ${NOTES.joinNote}
  left join settled_debt d on d.bucket = a.bucket and d.customer_uid = a.customer_uid and d.version = a.version
  where a.uid = $1)
select a.bucket,
  a.customer_uid as "customerUid",
  a.uid,
  a.version,
  a.allotted_at as "allottedAt",
  a.type,
  a.point_value as "pointValue",
  a.balance_after as "balanceAfter",
  a.source_key as "sourceKey",
  a.object,
  a.parent,
  a.action,
  a.app_reference as "appReference",
  a.origin,
  a.reason_type as "reasonType",
  a.earned_at as "earnedAt",
  a.expires_at as "ownDate",
  a.extends,
  a.program_version as "programVersion",
  a.note,
  coalesce(a.actor, ni.started_by) as actor,
  c.storefront_id as "storefrontId",
  c.name as "customerName",
  c.email as "customerEmail",
  k.name is not null as "isCredential",
  a.settled_debt as "settledDebt",
  p.author as "programAuthor",
  p.created_at as "programFrom"
from a
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
${NOTES.joinImport}
left join program_version p on p.version = a.program_version
left join (select distinct name from credential) k on k.name = a.app_reference
where c.deleted_at is null
  or a.merged_into is not null`;

/** Returns an allotment by its uid; undefined: there is none, or its customer was deleted. */
export async function selectAllotment(queryable: Queryable, uid: string): Promise<AllotmentFacts | undefined> {
  const [row] = await queryable.query<AllotmentFacts>(SELECT_ALLOTMENT, [uid]);
  return row;
}

/** Further draws are counted but not shown. */
const DRAWS_MAX = 250;

/** One draw, and the allotment at its other end: the one that opened the lot, or the one that took from it. */
export interface DrawFacts {
  readonly points: bigint;
  readonly uid: string;
  readonly type: AllotmentType;
  readonly allottedAt: Temporal.Instant;
  readonly object: string | null;
  readonly parent: string | null;
  /** The lot's own date; null: computed from `since`. */
  readonly ownDate: Temporal.Instant | null;
  readonly since: Temporal.Instant;
}

const DRAWS = (other: "lot_version" | "by_version", mine: "lot_version" | "by_version") => `select d.points,
  a.uid,
  a.type,
  a.allotted_at as "allottedAt",
  a.object,
  a.parent,
  d.lot_expires_at as "ownDate",
  d.lot_since as since
from draw d
join allotment a on a.bucket = d.bucket and a.customer_uid = d.customer_uid and a.version = d.${other}
where d.bucket = $1
  and d.customer_uid = $2
  and d.${mine} = $3
order by d.by_version, d.n
limit ${DRAWS_MAX + 1}`;
const DRAWS_BY = DRAWS("lot_version", "by_version");
const DRAWS_OF = DRAWS("by_version", "lot_version");

type Version = CustomerRef & { readonly version: bigint };

/** Returns the draws of a deduction, in its order. */
export function selectDrawsBy(queryable: Queryable, { bucket, customerUid, version }: Version): Promise<DrawFacts[]> {
  return queryable.query<DrawFacts>(DRAWS_BY, [bucket, customerUid, version]);
}

/** Returns the deductions that used the lots of a credit, in their order. */
export function selectDrawsOf(queryable: Queryable, { bucket, customerUid, version }: Version): Promise<DrawFacts[]> {
  return queryable.query<DrawFacts>(DRAWS_OF, [bucket, customerUid, version]);
}

/** What is left of a credit. */
export interface LotFacts {
  readonly part: number;
  readonly remaining: bigint;
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant;
}

const LOTS = `select l.part,
  l.remaining,
  l.expires_at as "expiresAt",
  l.since
from lot l
where l.bucket = $1
  and l.customer_uid = $2
  and l.version = $3
order by l.part, l.expires_at
limit ${DRAWS_MAX}`;

export function selectLotsOf(queryable: Queryable, { bucket, customerUid, version }: Version): Promise<LotFacts[]> {
  return queryable.query<LotFacts>(LOTS, [bucket, customerUid, version]);
}

const ACTIVE_NOW = `select b.active_at as "activeAt"
from balance b
where b.bucket = $1
  and b.customer_uid = $2`;

// Times rise with the versions.
const ACTIVE_BEFORE = `select a.allotted_at as "activeAt"
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.extends
  and a.version < $3
order by a.version desc
limit 1`;

/** Returns the last extending activity of a balance; if `before` is a version, before that one. */
export async function selectActiveAt(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  before: bigint | null,
): Promise<Temporal.Instant | null> {
  const key = [bucket, customerUid];
  const found = await (before === null
    ? queryable.query<{ activeAt: Temporal.Instant | null }>(ACTIVE_NOW, key)
    : queryable.query<{ activeAt: Temporal.Instant | null }>(ACTIVE_BEFORE, [...key, before]));
  return found[0]?.activeAt ?? null;
}

export interface CouponFacts {
  readonly uid: string;
  readonly code: string;
  readonly pointValue: bigint;
  readonly currencyValue: bigint;
  readonly state: string;
  readonly issuedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  readonly usedBy: string | null;
}

const SELECT_COUPON = `select c.uid,
  c.code,
  c.point_value as "pointValue",
  c.currency_value as "currencyValue",
  c.state,
  c.issued_at as "issuedAt",
  c.expires_at as "expiresAt",
  u.order_id as "usedBy"
from coupon c
left join coupon_use u on u.coupon_uid = c.uid
where c.uid = $1`;

export async function selectCoupon(queryable: Queryable, uid: string): Promise<CouponFacts | undefined> {
  const [row] = await queryable.query<CouponFacts>(SELECT_COUPON, [uid]);
  return row;
}
