import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

const OF = "where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))";

/** Deletes the records of what was sent, or was to be sent, to erased customers. */
export async function eraseMessages(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.execute(`delete from message_sent\n${OF}`, refKeys(refs));
  await tx.execute(`delete from message_tier_change\n${OF}`, refKeys(refs));
}
