import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const MOVE = `insert into message_sent (bucket, customer_uid, kind, occasion, sent_at, forget_on)
select $3, $4, s.kind, s.occasion, s.sent_at, s.forget_on
from message_sent s
where s.bucket = $1
  and s.customer_uid = $2
on conflict do nothing`;

const FORGET = `delete from message_sent
where bucket = $1
  and customer_uid = $2`;

/**
 * Moves the record of messages from a merged customer to the kept one, so that no occasion gets a second message. Called once the row of the
 * merged customer is locked, so that no message about them is being queued at the same time.
 */
export async function moveMessages(tx: Tx, removed: CustomerRef, kept: CustomerRef): Promise<void> {
  await tx.execute(MOVE, [removed.bucket, removed.customerUid, kept.bucket, kept.customerUid]);
  await tx.execute(FORGET, [removed.bucket, removed.customerUid]);
}
