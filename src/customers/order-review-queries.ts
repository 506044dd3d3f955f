import type { Queryable, Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

/** The data that changed for a past time. */
export type ReviewCause = "tier" | "tags" | "move";

/** Orders of a customer that are to be re-evaluated. */
export interface OrderReview {
  readonly uid: string;
  readonly customer: CustomerRef;
  readonly cause: ReviewCause;
  /** Orders processed at or after it. */
  readonly from: Temporal.Instant;
  /** Orders up to this id are done. */
  readonly afterId: string;
}

// Usually there are few orders at or after the time: most checks are made in time, and most tags arrive at once.
const COUNT_SINCE = `select count(*) as orders
from (
  select
  from store_order
  where processed_at >= $1
  limit $2) o`;

const ASK = `insert into order_review (uid, bucket, customer_uid, cause, from_at, asked_at)
select k.uid,
  k.bucket,
  k.customer_uid,
  $6,
  $4,
  $5
from unnest($1::uuid[], $2::smallint[], $3::uuid[]) as k (uid, bucket, customer_uid)`;

const ASK_BY_TIME = `${ASK}
where (k.bucket, k.customer_uid) in (
  select o.bucket,
    o.customer_uid
  from store_order o
  where o.processed_at >= $4)`;

const ASK_BY_CUSTOMER = `${ASK}
where exists (
  select
  from store_order o
  where o.bucket = k.bucket
    and o.customer_uid = k.customer_uid
    and o.processed_at >= $4)`;

const FEW_ORDERS = 2_000n;

const LOCK_NEXT = `select r.uid,
  r.bucket,
  r.customer_uid as "customerUid",
  r.cause,
  r.from_at as "from",
  r.after_id as "afterId"
from order_review r
where r.uid <> all($1)
order by r.asked_at, r.uid
limit 1
for update skip locked`;

const ADVANCE = `update order_review
set after_id = $2
where uid = $1`;

const END = `delete from order_review
where uid = $1`;

const MOVE = `update order_review
set bucket = $3,
  customer_uid = $4
where bucket = $1
  and customer_uid = $2`;

const HAS_ANY = `select exists (select from order_review) as "hasAny"`;

/** Requests reviews of customers who have orders processed at or after a time; `uids` has as many as `customers`. */
export async function insertReviews(
  tx: Tx,
  asked: { readonly uids: readonly string[]; readonly customers: readonly CustomerRef[] },
  {
    cause,
    from,
    now,
  }: { readonly cause: ReviewCause; readonly from: Temporal.Instant; readonly now: Temporal.Instant },
): Promise<number> {
  const [counted] = await tx.query<{ orders: bigint }>(COUNT_SINCE, [from, FEW_ORDERS + 1n]);
  const orders = counted?.orders ?? 0n;
  if (orders === 0n) return 0;
  const { uids, customers } = asked;
  const keys = [uids, customers.map(({ bucket }) => bucket), customers.map(({ customerUid }) => customerUid)];
  return tx.execute(orders <= FEW_ORDERS ? ASK_BY_TIME : ASK_BY_CUSTOMER, [...keys, from, now, cause]);
}

/** Locks the review that was requested first, except skipped ones and those that another node is processing. */
export async function lockNextReview(tx: Tx, passedOver: readonly string[]): Promise<OrderReview | undefined> {
  const [row] = await tx.query<Omit<OrderReview, "customer"> & CustomerRef>(LOCK_NEXT, [passedOver]);
  if (row === undefined) return undefined;
  const { bucket, customerUid, ...review } = row;
  return { ...review, customer: { bucket, customerUid } };
}

/** Stores the progress of a locked review; null: it is done, and its row is removed. */
export async function advanceReview(tx: Tx, uid: string, afterId: string | null): Promise<void> {
  if (afterId === null) await tx.execute(END, [uid]);
  else await tx.execute(ADVANCE, [uid, afterId]);
}

/** Orders that a merge gives to another customer are re-evaluated as that customer's. */
export async function moveReviews(tx: Tx, from: CustomerRef, to: CustomerRef): Promise<void> {
  await tx.execute(MOVE, [from.bucket, from.customerUid, to.bucket, to.customerUid]);
}

export async function hasReviews(queryable: Queryable): Promise<boolean> {
  return (await queryable.query<{ hasAny: boolean }>(HAS_ANY))[0]?.hasAny === true;
}
