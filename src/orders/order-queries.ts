import type { Queryable, Tx } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import { type CustomerRef, refOf } from "../ledger/customer-ref.ts";
import { type CarriedByAllotment, groupCarried, versionsOf } from "../ledger/merge/carried-lots.ts";
import { readHolders } from "../ledger/merge/merge-queries.ts";
import { readCarried } from "../ledger/merge/read-carried.ts";
import { decodeFacts } from "./facts/order-facts.ts";
import { decodeRules } from "./plan/order-rules.ts";
import type { OrderPostingRow, PostingResult, StoreOrder } from "./store-order.ts";

interface OrderRow {
  readonly orderId: string;
  readonly platform: string;
  readonly bucket: number | null;
  readonly customerUid: string | null;
  readonly facts: unknown;
  readonly rules: unknown;
  readonly rulesFor: string | null;
  readonly receivedAt: Temporal.Instant;
}

const COLUMNS = `o.order_id as "orderId",
  o.platform,
  o.bucket,
  o.customer_uid as "customerUid",
  o.facts,
  o.rules,
  o.rules_for as "rulesFor",
  o.received_at as "receivedAt"`;

const LOCK_ORDER = `select ${COLUMNS}
from store_order o
where o.order_id = $1
for no key update of o`;

const LOCK_ORDERS = `select ${COLUMNS}
from store_order o
where o.order_id = any($1)
order by o.order_id
for no key update of o`;

const READ_ORDER = `select ${COLUMNS}
from store_order o
where o.order_id = $1`;

const LOCK_GUEST_ORDERS = `select ${COLUMNS}
from store_order o
where o.email = $1
  and o.customer_uid is null
order by o.order_id
for no key update of o skip locked`;

const WAITING_EMAILS = `select distinct o.email
from store_order o
where o.email = any($1)
  and o.customer_uid is null`;

/** SQL: whether exactly one customer has an e-mail. */
const hasOneHolder = (email: string) => `(
    select count(*)
    from (
      select
      from customer c
      where c.email = ${email}
        and c.deleted_at is null
      limit 2) holder) = 1`;

// Each e-mail once, in the order of the index of waiting orders.
const WAITING_PAGE = `select w.email,
  ${hasOneHolder("w.email")} as "hasOneHolder"
from (
  select distinct o.email
  from store_order o
  where o.customer_uid is null
    and o.email is not null
    and o.email > $1
  order by o.email
  limit $2) w
order by w.email`;

const LOCK_ASSIGNABLE_ORDER = `select ${COLUMNS}
from store_order o
where o.email = any($1)
  and o.customer_uid is null
  and o.order_id <> all($2)
  and ${hasOneHolder("o.email")}
limit 1
for no key update of o skip locked`;

const LOCK_DUE_ORDER = `select ${COLUMNS}
from store_order o
where o.due_at <= $1
  and o.order_id <> all($2)
order by o.due_at
limit 1
for no key update of o skip locked`;

const LOCK_ORDERS_SINCE = `select ${COLUMNS}
from store_order o
where o.bucket = $1
  and o.customer_uid = $2
  and o.processed_at >= $3
  and o.order_id > $4
order by o.order_id
limit $5
for no key update of o`;

/** Returns an order without locking it; undefined: it is unknown. */
export async function readOrder(queryable: Queryable, orderId: string): Promise<StoreOrder | undefined> {
  const [row] = await queryable.query<OrderRow>(READ_ORDER, [orderId]);
  return row && toOrder(row);
}

/** Locks an order until the transaction ends; undefined: it is unknown. */
export async function lockOrder(tx: Tx, orderId: string): Promise<StoreOrder | undefined> {
  const [row] = await tx.query<OrderRow>(LOCK_ORDER, [orderId]);
  return row && toOrder(row);
}

/** Locks orders, in the order of their ids, until the transaction ends. Returns the known ones, by id. */
export async function lockStoreOrders(tx: Tx, orderIds: readonly string[]): Promise<ReadonlyMap<string, StoreOrder>> {
  if (orderIds.length === 0) return new Map();
  const rows = await tx.query<OrderRow>(LOCK_ORDERS, [orderIds]);
  return new Map(rows.map((row) => [row.orderId, toOrder(row)]));
}

/**
 * Locks the orders that wait under an e-mail (lower case), in the order of their ids. An order that another transaction is processing is
 * skipped: that transaction looks for its customer after taking the lock of the e-mail, and so finds the customer.
 */
export async function lockGuestOrders(tx: Tx, email: string): Promise<StoreOrder[]> {
  return (await tx.query<OrderRow>(LOCK_GUEST_ORDERS, [email])).map(toOrder);
}

/** Returns those e-mails (lower case) under which guests' orders wait. */
export async function selectWaitingEmails(queryable: Queryable, emails: readonly string[]): Promise<Set<string>> {
  const rows = await queryable.query<{ email: string }>(WAITING_EMAILS, [emails]);
  return new Set(rows.map(({ email }) => email));
}

/** An e-mail (lower case) under which guests' orders wait. */
export interface WaitingEmail {
  readonly email: string;
  /** Whether one customer, and no second one, has it. */
  readonly hasOneHolder: boolean;
}

/** Returns the next e-mails after one, in order, under which guests' orders wait. */
export function selectWaitingPage(queryable: Queryable, after: string, limit: number): Promise<WaitingEmail[]> {
  return queryable.query<WaitingEmail>(WAITING_PAGE, [after, limit]);
}

/**
 * Locks an order that waits under one of the e-mails if that belongs to one customer, except skipped ones and those that another transaction is
 * processing.
 */
export async function lockAssignableOrder(
  tx: Tx,
  emails: readonly string[],
  passedOver: readonly string[],
): Promise<StoreOrder | undefined> {
  const [row] = await tx.query<OrderRow>(LOCK_ASSIGNABLE_ORDER, [emails, passedOver]);
  return row && toOrder(row);
}

/** Locks the order that has been due longest, except skipped ones and those that another transaction is processing. */
export async function lockDueOrder(
  tx: Tx,
  now: Temporal.Instant,
  passedOver: readonly string[],
): Promise<StoreOrder | undefined> {
  const [row] = await tx.query<OrderRow>(LOCK_DUE_ORDER, [now, passedOver]);
  return row && toOrder(row);
}

/** Locks a customer's orders that were processed at or after a time, in the order of their ids, starting after an id. */
export async function lockOrdersSince(
  tx: Tx,
  { bucket, customerUid }: CustomerRef,
  { from, afterId, limit }: { readonly from: Temporal.Instant; readonly afterId: string; readonly limit: number },
): Promise<StoreOrder[]> {
  const rows = await tx.query<OrderRow>(LOCK_ORDERS_SINCE, [bucket, customerUid, from, afterId, limit]);
  return rows.map(toOrder);
}

function toOrder({ bucket, customerUid, ...row }: OrderRow): StoreOrder {
  return {
    ...row,
    customer: toRef(bucket, customerUid),
    facts: decodeFacts(row.facts),
    rules: row.rules === null ? null : decodeRules(row.rules),
  };
}

function toRef(bucket: number | null, customerUid: string | null): CustomerRef | null {
  return bucket === null || customerUid === null ? null : { bucket, customerUid };
}

const postings = (mergedInto: string, join: string) => `select p.order_id as "orderId",
  p.cause,
  p.type,
  p.bucket,
  p.customer_uid as "customerUid",
  ${mergedInto} as "mergedInto",
  p.version,
  p.wanted as requested,
  p.taken,
  coalesce(p.taken_elsewhere, case when p.outcome = 'owed' then p.taken - p.wanted else 0 end) as "takenElsewhere",
  p.outcome as result
from order_posting p
${join}
where p.order_id = any($1)`;

const JOIN_BALANCE = "left join balance b on b.bucket = p.bucket and b.customer_uid = p.customer_uid";
const SELECT_POSTINGS = postings("b.merged_into", JOIN_BALANCE);
const SELECT_POSTINGS_ALONE = postings("null::uuid", "");

interface PostingRow {
  readonly orderId: string;
  readonly cause: string;
  readonly type: AllotmentType | null;
  readonly bucket: number | null;
  readonly customerUid: string | null;
  readonly mergedInto: string | null;
  readonly version: bigint | null;
  readonly requested: bigint;
  readonly taken: bigint;
  readonly takenElsewhere: bigint;
  readonly result: PostingResult;
}

/**
 * Returns everything that orders posted or settled, by order; their rows are locked. Postings to a customer who has been merged are returned for the
 * surviving one, with the version of the allotment that has the rest of the points.
 */
export async function selectPostingsOf(
  tx: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly OrderPostingRow[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await selectPostingRows(tx, orderIds);
  const merged = rows.flatMap(({ customerUid, mergedInto, version }) =>
    customerUid !== null && mergedInto !== null && version !== null ? [{ ...refOf(customerUid), version }] : [],
  );
  const carried = groupCarried(await readCarried(tx, merged));
  const found = new Map<string, OrderPostingRow[]>();
  for (const { orderId, bucket, customerUid, mergedInto, version, ...row } of rows) {
    const own = found.get(orderId) ?? [];
    own.push(
      mergedInto === null
        ? { ...row, version, customer: toRef(bucket, customerUid) }
        : {
            ...row,
            version: versionIn(refOf(mergedInto), { customerUid, version }, carried),
            customer: refOf(mergedInto),
          },
    );
    found.set(orderId, own);
  }
  return found;
}

/** On Citus the balances are read by their customers afterwards: of one shard, as a rule, and of none for an order that has posted nothing. */
async function selectPostingRows(tx: Tx, orderIds: readonly string[]): Promise<readonly PostingRow[]> {
  if (tx.shards === null) return tx.query<PostingRow>(SELECT_POSTINGS, [orderIds]);
  const rows = await tx.query<PostingRow>(SELECT_POSTINGS_ALONE, [orderIds]);
  const holders = await readHolders(tx, [...new Set(rows.flatMap((row) => row.customerUid ?? []))].map(refOf));
  return rows.map((row) => ({ ...row, mergedInto: holders.get(row.customerUid ?? "")?.customerUid ?? null }));
}

/** Returns the first of the survivor's allotments that have the rest of a merged customer's: what an order gave has one part as a rule. */
function versionIn(
  holder: CustomerRef,
  { customerUid, version }: Pick<PostingRow, "customerUid" | "version">,
  carried: CarriedByAllotment,
): bigint | null {
  if (customerUid === null || version === null) return null;
  return versionsOf({ customerUid, version }, holder, carried)[0] ?? null;
}

/** The same for one order. */
export async function selectPostings(tx: Tx, orderId: string): Promise<readonly OrderPostingRow[]> {
  return (await selectPostingsOf(tx, [orderId])).get(orderId) ?? [];
}
