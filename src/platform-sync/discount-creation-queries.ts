import type { CouponDraft } from "../coupons/coupon-draft.ts";
import { isLeaseOver, leaseAttempt, leaseEnd, leasesOf } from "../db/lease.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { DiscountCreation, DiscountCreationClaim, LeasedDiscountCreation } from "./discount-creation.ts";

/** Seconds; longer than a request may take. */
const LEASE_S = 120;
/** Seconds; neither a lease nor a wait for the next look is that long. */
const LONGEST_S = 7_200;

const COLUMNS = `l.coupon_uid as uid,
  l.code,
  l.state,
  l.hold_uid as "holdUid",
  l.storefront_id as "storefrontId",
  l.bucket,
  l.customer_uid as "customerUid",
  l.point_value as "pointValue",
  l.currency_value as "currencyValue",
  l.currency,
  l.product_ids as "productIds",
  l.app_reference as "appReference",
  l.extends_expiry as "extendsExpiry",
  l.issued_at as "issuedAt",
  l.expires_at as "expiresAt",
  l.due_at as "dueAt",
  l.lease_uid as "leaseUid",
  l.attempts`;

interface CreationRow extends Omit<CouponDraft, "customer">, Omit<LeasedDiscountCreation, "draft"> {
  readonly bucket: number;
  readonly customerUid: string;
}

function toCreation({
  code,
  state,
  holdUid,
  storefrontId,
  currency,
  attempts,
  leaseUid,
  ...row
}: CreationRow): LeasedDiscountCreation {
  const { bucket, customerUid, ...draft } = row;
  return {
    draft: { ...draft, customer: { bucket, customerUid } },
    ...{ code, state, holdUid, storefrontId, currency, attempts, leaseUid },
  };
}

const INSERT = `insert into coupon_creation (coupon_uid, code, state, hold_uid, storefront_id, bucket, customer_uid, point_value,
  currency_value, currency, product_ids, app_reference, extends_expiry, issued_at, expires_at, due_at, claim_key,
  claim_fingerprint, lease_uid, lease_until)
values ($1, $2, 'creating', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
  ${leaseEnd(LEASE_S)})`;

/** Stores a new creation, leased to the caller. */
export async function insertDiscountCreation(
  tx: Tx,
  creation: LeasedDiscountCreation,
  claim: DiscountCreationClaim | null,
): Promise<void> {
  const { draft, code, holdUid, storefrontId, currency, leaseUid } = creation;
  await tx.execute(INSERT, [
    ...[draft.uid, code, holdUid, storefrontId, draft.customer.bucket, draft.customer.customerUid, draft.pointValue],
    ...[draft.currencyValue, currency, draft.productIds, draft.appReference, draft.extendsExpiry],
    ...[draft.issuedAt, draft.expiresAt, draft.dueAt, claim?.key ?? null, claim?.fingerprint ?? null, leaseUid],
  ]);
}

const SELECT_CLAIMED = `select c.coupon_uid as uid,
  c.claim_fingerprint as fingerprint,
  not ${isLeaseOver("c", LONGEST_S)} and not c.is_idle as "isBusy"
from coupon_creation c
where c.claim_key = $1
for no key update of c`;

/** Locks and returns the creation that a request with this key began; undefined where there is none or it is finished. */
export async function lockClaimed(
  tx: Tx,
  key: string,
): Promise<{ readonly uid: string; readonly fingerprint: Buffer; readonly isBusy: boolean } | undefined> {
  const [row] = await tx.query<{ uid: string; fingerprint: Buffer; isBusy: boolean }>(SELECT_CLAIMED, [key]);
  return row;
}

const TAKE = `update coupon_creation l
set lease_uid = $2,
  is_idle = false,
  ${leaseAttempt("l", LEASE_S)}
where l.coupon_uid = $1
returning ${COLUMNS}`;

/** Takes over the lease of a creation whose row is locked. */
export async function takeDiscountCreation(tx: Tx, uid: string, leaseUid: string): Promise<LeasedDiscountCreation> {
  const [row] = await tx.query<CreationRow>(TAKE, [uid, leaseUid]);
  if (row === undefined) throw new Error(`the creation of coupon ${uid} vanished`);
  return toCreation(row);
}

const MARK_IDLE = `update coupon_creation
set is_idle = true
where coupon_uid = $1
  and lease_uid = $2`;

/**
 * Marks that the request ended without knowing what the platform did. Another request with the same key may continue at once; the
 * background job continues only after the lease has expired.
 */
export async function markIdle(queryable: Queryable, { draft, leaseUid }: LeasedDiscountCreation): Promise<void> {
  await queryable.execute(MARK_IDLE, [draft.uid, leaseUid]);
}

const leases = leasesOf<CreationRow>({
  update: "update coupon_creation",
  key: "coupon_uid",
  free: `select w.coupon_uid
  from coupon_creation w
  where ${isLeaseOver("w", LONGEST_S)}
  order by w.lease_until`,
  columns: COLUMNS,
  seconds: LEASE_S,
});

/** Leases the creation that has waited longest, or whose check at the platform is due; undefined where there is none. */
export async function claimDiscountCreation(
  queryable: Queryable,
  leaseUid: string,
): Promise<LeasedDiscountCreation | undefined> {
  const row = await leases.claim(queryable, leaseUid);
  return row && toCreation(row);
}

const LOCK_LEASED = `select c.state
from coupon_creation c
where c.coupon_uid = $1
  and c.lease_uid = $2
for no key update of c`;

/** Locks a creation if it still has this lease; undefined where another caller has taken it over. */
export async function lockLeased(
  tx: Tx,
  { draft, leaseUid }: LeasedDiscountCreation,
): Promise<DiscountCreation["state"] | undefined> {
  const [row] = await tx.query<{ state: DiscountCreation["state"] }>(LOCK_LEASED, [draft.uid, leaseUid]);
  return row?.state;
}

const RELEASE = `update coupon_creation
set state = 'released',
  claim_key = null,
  claim_fingerprint = null,
  attempts = 0,
  lease_until = ${leaseEnd("$2")}
where coupon_uid = $1`;

/** Marks that the points are returned, and that one more check is due after `lookInS` seconds. */
export async function markCreationReleased(tx: Tx, uid: string, lookInS: number): Promise<void> {
  await tx.execute(RELEASE, [uid, lookInS]);
}

const DELETE = `delete from coupon_creation
where coupon_uid = $1
  and lease_uid = $2`;

export async function deleteDiscountCreation(
  queryable: Queryable,
  { draft, leaseUid }: LeasedDiscountCreation,
): Promise<void> {
  await queryable.execute(DELETE, [draft.uid, leaseUid]);
}

/** Postpones a creation to a later check. */
export function postponeDiscountCreation(
  queryable: Queryable,
  { draft, leaseUid }: LeasedDiscountCreation,
  waitS: number,
): Promise<void> {
  return leases.postpone(queryable, { uid: draft.uid, leaseUid }, waitS);
}

const COUNT_CREATING = `select count(*)::integer as count
from coupon_creation l
where l.bucket = $1
  and l.customer_uid = $2
  and l.state = 'creating'`;

/** Returns how many codes of a customer are being created at the platform. */
export async function countDiscountCreations(tx: Tx, { bucket, customerUid }: CustomerRef): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_CREATING, [bucket, customerUid]);
  return row?.count ?? 0;
}
