import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const ADD = `insert into customer_alias (storefront_id, bucket, customer_uid)
select k.id, $2, $3
from unnest($1::text[]) as k (id)
on conflict (storefront_id) do nothing`;

/**
 * Makes ids that stand for an e-mail address which a merge removes lead to the surviving customer, whose balance is locked: files that are imported name
 * people by it.
 */
export async function keepFormerAddress(
  tx: Tx,
  ids: readonly string[],
  { bucket, customerUid }: CustomerRef,
): Promise<void> {
  if (ids.length > 0) await tx.execute(ADD, [ids, bucket, customerUid]);
}
