import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

const OF = "where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))";

/** Forgets what erased customers were sent and were to be sent. */
export async function eraseMessages(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.execute(`delete from message_sent\n${OF}`, refKeys(refs));
  await tx.execute(`delete from message_tier_change\n${OF}`, refKeys(refs));
}
