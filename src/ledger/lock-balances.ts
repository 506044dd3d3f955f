import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";
import type { CustomerLedger } from "./posting.ts";

/** A locked balance, before anything else of it was read. */
export interface LockedBalance extends CustomerLedger {
  readonly mergedInto: string | null;
  /** The customer was deleted, or merged into another. */
  readonly isDeleted: boolean;
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
  b.is_deleted as "isDeleted"`;

// Always in key order, so that batches never wait for each other in a circle; a statement of its own, so that what is read
// afterwards is what the lock protects.
const LOCK_BY_REF = `select ${BALANCE_COLUMNS}
from balance b
where (b.bucket, b.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
order by b.bucket, b.customer_uid
for no key update of b`;

/** Locks balances until the transaction ends. */
export function lockBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<LockedBalance[]> {
  return tx.query<LockedBalance>(LOCK_BY_REF, [refs.map((ref) => ref.bucket), refs.map((ref) => ref.customerUid)]);
}
