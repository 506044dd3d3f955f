import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { NewReceipt, ReceiptStatus } from "./receipt.ts";
import { insertReceipts, selectStatuses } from "./receipt-queries.ts";

/**
 * Stores receipts, each once however often it arrives (platforms.md 4.3, rule 1), and wakes the worker after the commit. Returns the status
 * of each, in their order: a receipt that was stored before keeps its state.
 */
export async function storeReceipts(
  tx: Tx,
  deps: Pick<Deps, "wake">,
  receipts: readonly NewReceipt[],
): Promise<ReceiptStatus[]> {
  if (receipts.length === 0) return [];
  const [, statuses] = await Promise.all([
    insertReceipts(tx, receipts),
    selectStatuses(
      tx,
      receipts.map(({ key }) => key),
    ),
  ]);
  tx.afterCommit(() => deps.wake.receipts());
  return statuses;
}
