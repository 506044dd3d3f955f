import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const ADD = `insert into customer_alias (storefront_id, bucket, customer_uid)
values ($1, $2, $3)
on conflict (storefront_id) do nothing`;

/** Makes an unused id an alias of a customer whose balance is locked; the transaction starts over if the id was just taken. */
export async function addAlias(tx: Tx, storefrontId: string, { bucket, customerUid }: CustomerRef): Promise<void> {
  if ((await tx.execute(ADD, [storefrontId, bucket, customerUid])) === 0)
    throw staleRead(`${storefrontId} just became another customer's id`);
}
