import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const OPEN = `insert into balance (bucket, customer_uid)
select *
from unnest($1::smallint[], $2::uuid[])`;

/** Opens the balances of customers that are being created in this transaction: no points, version 0. */
export async function openBalances(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  if (refs.length === 0) return;
  await tx.execute(OPEN, [refs.map((ref) => ref.bucket), refs.map((ref) => ref.customerUid)]);
}
