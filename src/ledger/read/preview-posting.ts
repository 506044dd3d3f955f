import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { BALANCE_COLUMNS, type LockedBalance } from "../balance-queries.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { decideChanges } from "../decide-changes.ts";
import type { Outcome, Posting } from "../posting.ts";
import { readBatchContext } from "../queue/batch-queries.ts";

const READ_BALANCE = `select ${BALANCE_COLUMNS}
from balance b
where b.bucket = $1
  and b.customer_uid = $2`;

/**
 * Returns the outcome that a posting would have, without writing it: in a snapshot, or under the balance's lock. Undefined: the customer has no
 * balance.
 */
export async function previewPosting(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { bucket, customerUid }: CustomerRef,
  posting: Posting,
): Promise<Outcome | undefined> {
  const [[before], context] = await Promise.all([
    tx.query<LockedBalance>(READ_BALANCE, [bucket, customerUid]),
    readBatchContext(tx),
  ]);
  if (before === undefined) return undefined;
  const [change] = await decideChanges(tx, deps, [{ before, postings: [posting] }], context);
  return change?.outcomes[0];
}
