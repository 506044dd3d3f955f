import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import { type CustomerRef, refKeys } from "./customer-ref.ts";
import type { CustomerLedger } from "./posting.ts";

/** A locked balance, before anything else of it was read. */
export interface LockedBalance extends CustomerLedger {
  readonly mergedInto: string | null;
  /** The customer was deleted, or merged into another. */
  readonly isDeleted: boolean;
  /** How far its chain goes, and its head; null: nothing is chained (chain.ts). */
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

// Always in key order, so that batches never wait for each other in a circle; a statement of its own, so that what is read
// afterwards is what the lock protects.
const LOCK_BY_REF = `select ${BALANCE_COLUMNS}
from balance b
where (b.bucket, b.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
order by b.bucket, b.customer_uid
for no key update of b`;

const lockedBy = (call: string) => `select ${BALANCE_COLUMNS}
from ${call} b
order by b.bucket, b.customer_uid`;

// On a Citus: a statement each shard, within one of the coordinator (src/db/citus/routing-schema.ts).
const LOCK_DISTRIBUTED_BY_REF = lockedBy("lock_balances($1::smallint[], $2::uuid[])");
const LOCK_DISTRIBUTED_BY_STOREFRONT_ID = lockedBy("lock_balances_by_storefront_id($1::text[])");

/** Locks balances until the transaction ends. */
export function lockBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  return tx.query<LockedBalance>(tx.shards !== null ? LOCK_DISTRIBUTED_BY_REF : LOCK_BY_REF, [
    refs.map((ref) => ref.bucket),
    refs.map((ref) => ref.customerUid),
  ]);
}

/** A locked balance and one of the storefront ids that name its customer. */
export interface NamedBalance extends LockedBalance {
  readonly storefrontId: string;
  /** The customer's own id: another one where the id is that of somebody who was merged into the customer. */
  readonly shownId: string;
}

// What the ids stand for is of the statement's start; the balance itself, whose lock it may have waited for, is of now.
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
 * Locks the balances of the customers whom storefront ids name until the transaction ends, and returns one for each id; ids of nobody
 * and of deleted customers are passed over. Where a customer was merged into another meanwhile, the transaction starts over and sees it.
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

/** The same on a Citus: the names are read behind the locks, and are those of now. */
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
 * Locks balances until the transaction ends, as `lockBalances`, of customers deleted or not. Where a customer has been merged into
 * another, or was removed as if they had never been, since the caller looked them up, the transaction starts over and sees it.
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

/** A customer without a balance is a bug, which code that needs the balance detects; a missing customer was removed meanwhile. */
async function refuseRemoved(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  const keys = refKeys(refs);
  const [removed] = await tx.query<{ customerUid: string }>(SELECT_REMOVED, keys);
  if (removed !== undefined) throw staleRead(`customer ${removed.customerUid} was removed meanwhile`);
}

/**
 * Locks balances until the transaction ends, as `lockBalances`. Where a customer has been merged into another or deleted since the
 * caller looked them up, the transaction starts over and sees it: a deleted customer's balance was closed, and stays closed.
 */
export async function lockLiveBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  const locked = await lockUnmergedBalances(tx, refs);
  const deleted = locked.find(({ isDeleted }) => isDeleted);
  if (deleted !== undefined) throw staleRead(`customer ${deleted.customerUid} was deleted meanwhile`);
  return locked;
}

// No points expire that were there before their customer: with a day from the start, the first points write into no index (decision 9).
const OPEN = `insert into balance (bucket, customer_uid, expiry_from_on)
select k.bucket,
  k.customer_uid,
  ($3::timestamptz at time zone 'UTC')::date
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)`;

/** Opens the balances of customers that are being created in this transaction, at an instant: no points, version 0. */
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

/** Removes the locked balances of which no allotment was ever written. Returns which they were: the others stay. */
export function dropEmptyBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<CustomerRef[]> {
  return tx.query<CustomerRef>(DROP, refKeys(refs));
}

// by the owner of the tables: the service's role may not change what was written (decision 33)
const ERASE = "select erase_allotment_notes($1::smallint[], $2::uuid[])";

/**
 * Erases what people wrote beside the allotments of deleted customers, and who they were; the allotments themselves say nothing of a
 * person, their import who of the staff started it.
 */
export async function eraseNotes(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.query(ERASE, refKeys(refs));
}
