import type { Tx } from "../db/pool.ts";
import type { Receipt } from "./receipt.ts";

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
