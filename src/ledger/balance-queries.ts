import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import { type CustomerRef, refKeys } from "./customer-ref.ts";
import type { CustomerLedger } from "./posting.ts";

/** A locked balance, before any of its lots or holds were read. */
export interface LockedBalance extends CustomerLedger {
  readonly mergedInto: string | null;
  /** The customer was deleted, or merged into another. */
  readonly isDeleted: boolean;
  /** The last version that the customer's chain covers, with the head of the chain; null: nothing is chained (chain.ts). */
  readonly chainedVersion: bigint;
  readonly chainHead: Buffer | null;
}

/** The select list of `LockedBalance` over `balance b`. */
export const BALANCE_COLUMNS = `b.bucket,
  b.customer_uid as "customerUid",
  b.ledger_points as "ledgerPoints",
  b.held_points as "heldPoints",
  b.held_until as "heldUntil",
  b.owed_points as "owedPoints",
  b.version,
  b.last_allotted_at as "lastAllottedAt",
  b.active_at as "activeAt",
  b.oldest_since as "oldestSince",
  b.soonest_expires_at as "soonestExpiresAt",
  b.earned_at as "earnedAt",
  b.merged_into as "mergedInto",
  b.is_deleted as "isDeleted",
  b.chained_version as "chainedVersion",
  b.chain_head as "chainHead"`;

// Always in key order, so that batches cannot deadlock. A separate statement, so that later statements read what the lock protects.
const LOCK_BY_REF = `select ${BALANCE_COLUMNS}
from balance b
where (b.bucket, b.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
order by b.bucket, b.customer_uid
for no key update of b`;

const lockedBy = (call: string) => `select ${BALANCE_COLUMNS}
from ${call} b
order by b.bucket, b.customer_uid`;

// On Citus: one statement per shard, inside one statement on the coordinator (src/db/citus/routing-schema.ts).
const LOCK_DISTRIBUTED_BY_REF = lockedBy("lock_balances($1::smallint[], $2::uuid[])");
const LOCK_DISTRIBUTED_BY_STOREFRONT_ID = lockedBy("lock_balances_by_storefront_id($1::text[])");

/** Locks balances until the transaction ends. Returns those that exist. */
export function lockBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  return tx.query<LockedBalance>(tx.shards !== null ? LOCK_DISTRIBUTED_BY_REF : LOCK_BY_REF, [
    refs.map((ref) => ref.bucket),
    refs.map((ref) => ref.customerUid),
  ]);
}

/** A locked balance and one of the storefront ids that name its customer. */
export interface NamedBalance extends LockedBalance {
  readonly storefrontId: string;
  /** The customer's own storefront id. It differs from the requested id if that one belongs to a customer who was merged into this one. */
  readonly shownId: string;
}

// The ids are resolved as of the start of the statement; the balance, whose lock it may have waited for, is the current one.
const LOCK_BY_STOREFRONT_ID = `select a.storefront_id as "storefrontId",
  c.storefront_id as "shownId",
  ${BALANCE_COLUMNS}
from customer_alias a
join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
where a.storefront_id = any($1)
  and c.deleted_at is null
order by b.bucket, b.customer_uid
for no key update of b`;

/**
 * Locks the balances of the customers that storefront ids name until the transaction ends. Returns one for each id; unknown ids and those
 * of deleted customers are skipped. If a customer was merged into another meanwhile, the transaction starts over.
 */
export async function lockBalancesByStorefrontId(tx: Tx, storefrontIds: readonly string[]): Promise<NamedBalance[]> {
  const locked =
    tx.shards === null
      ? await tx.query<NamedBalance>(LOCK_BY_STOREFRONT_ID, [storefrontIds])
      : await lockDistributed(tx, storefrontIds);
  const merged = locked.find(({ mergedInto }) => mergedInto !== null);
  if (merged !== undefined)
    throw staleRead(`the customer of ${merged.storefrontId} was merged into ${merged.mergedInto}`);
  return locked.filter(({ isDeleted }) => !isDeleted);
}

const READ_NAMES = `select a.storefront_id as "storefrontId",
  c.storefront_id as "shownId",
  a.customer_uid as "customerUid"
from customer_alias a
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
where a.storefront_id = any($1)
  and c.deleted_at is null`;

/** The same on Citus: the names are read after the locks were taken, so they are current. */
async function lockDistributed(tx: Tx, storefrontIds: readonly string[]): Promise<NamedBalance[]> {
  const [locked, names] = await Promise.all([
    tx.query<LockedBalance>(LOCK_DISTRIBUTED_BY_STOREFRONT_ID, [storefrontIds]),
    tx.query<Pick<NamedBalance, "storefrontId" | "shownId" | "customerUid">>(READ_NAMES, [storefrontIds]),
  ]);
  const byUid = new Map(locked.map((balance) => [balance.customerUid, balance]));
  return names.map((name) => {
    const balance = byUid.get(name.customerUid);
    if (balance === undefined) throw staleRead(`the alias of ${name.storefrontId} moved while its balance was locked`);
    return { ...balance, ...name };
  });
}

const SELECT_REMOVED = `select k.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where not exists (select from customer c where c.bucket = k.bucket and c.customer_uid = k.customer_uid)`;

/**
 * Locks balances like `lockBalances`, including those of deleted customers. If a customer has been merged into another, or removed
 * completely, since the caller read it, the transaction starts over.
 */
export async function lockUnmergedBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  const locked = await lockBalances(tx, refs);
  const merged = locked.find(({ mergedInto }) => mergedInto !== null);
  if (merged !== undefined) throw staleRead(`customer ${merged.customerUid} was merged into ${merged.mergedInto}`);
  const found = new Set(locked.map(({ customerUid }) => customerUid));
  const missing = refs.filter(({ customerUid }) => !found.has(customerUid));
  if (missing.length > 0) await refuseRemoved(tx, missing);
  return locked;
}

/** Throws if a customer was removed meanwhile. A customer without a balance is a bug, which code that needs the balance detects. */
async function refuseRemoved(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  const keys = refKeys(refs);
  const [removed] = await tx.query<{ customerUid: string }>(SELECT_REMOVED, keys);
  if (removed !== undefined) throw staleRead(`customer ${removed.customerUid} was removed meanwhile`);
}

/**
 * Locks balances like `lockBalances`. If a customer has been merged into another or deleted since the caller read it, the transaction
 * starts over: the balance of a deleted customer was closed and stays closed.
 */
export async function lockLiveBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  const locked = await lockUnmergedBalances(tx, refs);
  const deleted = locked.find(({ isDeleted }) => isDeleted);
  if (deleted !== undefined) throw staleRead(`customer ${deleted.customerUid} was deleted meanwhile`);
  return locked;
}

// No points expire before their customer was created: with a day set from the start, the first points change no index (decision 9).
const OPEN = `insert into balance (bucket, customer_uid, expiry_from_on)
select k.bucket,
  k.customer_uid,
  ($3::timestamptz at time zone 'UTC')::date
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)`;

/** Opens the balances of customers that are being created in this transaction, at the given instant, with 0 points and version 0. */
export async function openBalances(tx: Tx, refs: readonly CustomerRef[], at: Temporal.Instant): Promise<void> {
  if (refs.length === 0) return;
  await tx.execute(OPEN, [refs.map((ref) => ref.bucket), refs.map((ref) => ref.customerUid), at]);
}

const DROP = `delete from balance b
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where b.bucket = k.bucket
  and b.customer_uid = k.customer_uid
  and b.version = 0
  and b.ledger_points = 0
  and b.held_points = 0
  and b.owed_points = 0
  and b.merged_into is null
  and not b.is_deleted
  and not exists (select from reservation r where r.bucket = b.bucket and r.customer_uid = b.customer_uid)
returning b.bucket,
  b.customer_uid as "customerUid"`;

/** Removes those of the locked balances that never had an allotment. Returns the removed ones. */
export function dropEmptyBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<CustomerRef[]> {
  return tx.query<CustomerRef>(DROP, refKeys(refs));
}

// a function of the tables' owner: the service's role may not change what was written (decision 33)
const ERASE = "select erase_allotment_notes($1::smallint[], $2::uuid[])";

/**
 * Erases the notes on the allotments of deleted customers and their authors. The allotments themselves contain no personal data; the row
 * of their import says who of the staff started it.
 */
export async function eraseNotes(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.query(ERASE, refKeys(refs));
}
