import type { Tx } from "../db/pool.ts";
import type { Receipt, ReceiptStatus } from "./receipt.ts";

const FIND_EARLIER = `select
from receipt r
where r.subject = any($1)
  and r.state = 'new'
  and r.uid < (select o.uid from receipt o where o.key = $2)
limit 1`;

/** Whether receipts of some subjects that arrived before a receipt are still to be processed, now or again after a failure. */
export async function hasEarlierReceipts(
  tx: Tx,
  { key }: Pick<Receipt, "key">,
  subjects: readonly string[],
): Promise<boolean> {
  return (await tx.query(FIND_EARLIER, [subjects, key])).length > 0;
}

const POSTPONE = `update receipt
set note = $2,
  due_at = now() + interval '5 seconds'
where key = $1`;

/** Makes a locked receipt due again soon, with its attempts as they are: nothing of it was done. */
export async function postponeReceipt(
  tx: Tx,
  { key }: Pick<Receipt, "key">,
  { note }: Pick<ReceiptStatus, "note">,
): Promise<void> {
  await tx.execute(POSTPONE, [key, note]);
}
