import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const COPY = `insert into customer_spend_base as b (bucket, customer_uid, as_of, import_uid, spend_minor)
select $3::smallint, $4::uuid, as_of, import_uid, spend_minor
from customer_spend_base
where bucket = $1
  and customer_uid = $2
on conflict (bucket, customer_uid, as_of, import_uid) do update
set spend_minor = b.spend_minor + excluded.spend_minor`;

const REMOVE = `delete from customer_spend_base
where bucket = $1
  and customer_uid = $2`;

/** Moves a merged customer's spend from elsewhere to the surviving one. Both balances must be locked. Returns whether there was any. */
export async function moveSpendBase(tx: Tx, removed: CustomerRef, kept: CustomerRef): Promise<boolean> {
  const from = [removed.bucket, removed.customerUid];
  await tx.execute(COPY, [...from, kept.bucket, kept.customerUid]);
  return (await tx.execute(REMOVE, from)) > 0;
}
