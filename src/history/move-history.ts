import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const COPY = `insert into history_entry (bucket, customer_uid, occurred_at, import_uid, n, points, kind, source, note)
select $3::smallint, $4::uuid, occurred_at, import_uid, n, points, kind, source, note
from history_entry
where bucket = $1
  and customer_uid = $2
on conflict do nothing`;

const REMOVE = `delete from history_entry
where bucket = $1
  and customer_uid = $2`;

/** Moves a merged customer's history to the surviving one. Both balances are locked. Rows are copied, because their bucket changes. */
export async function moveHistory(tx: Tx, removed: CustomerRef, kept: CustomerRef): Promise<void> {
  const from = [removed.bucket, removed.customerUid];
  await tx.execute(COPY, [...from, kept.bucket, kept.customerUid]);
  await tx.execute(REMOVE, from);
}
