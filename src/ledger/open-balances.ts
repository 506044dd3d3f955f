import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

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
