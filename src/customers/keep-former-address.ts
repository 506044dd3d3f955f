import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { memberIdOf } from "./member-id.ts";

const ADD = `insert into customer_alias (storefront_id, bucket, customer_uid)
select k.id, $2, $3
from unnest($1::text[]) as k (id)
on conflict (storefront_id) do nothing`;

/**
 * Makes an e-mail address that a merge removes lead to the surviving customer for the files of some moves, which name people by it: for each of
 * them, an id that does not reveal the address (`memberIdOf`, with the move's uid). The customer's balance is locked.
 */
export async function keepFormerAddress(
  tx: Tx,
  email: string,
  { bucket, customerUid }: CustomerRef,
  moveUids: readonly string[],
): Promise<void> {
  if (moveUids.length === 0) return;
  await tx.execute(ADD, [moveUids.map((uid) => memberIdOf(email, uid)), bucket, customerUid]);
}
