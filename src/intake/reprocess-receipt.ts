import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { type ReceiptState, receiptState, translateReceipt } from "./receipt.ts";
import { lockReceipt, renewReceipt, replaceWarnings } from "./receipt-queries.ts";

/**
 * Makes a stored receipt be processed again: one that failed, waits or was quarantined before the service could read it. A receipt that is
 * done changes nothing again. Returns its new state. Throws `not_found`, and `gone` if the body was deleted.
 */
export async function reprocessReceipt(tx: Tx, deps: Pick<Deps, "wake">, uid: string): Promise<ReceiptState> {
  const receipt = await lockReceipt(tx, uid);
  if (receipt === undefined) throw new Problem("not_found");
  const { body } = receipt;
  if (body === null)
    throw new Problem("gone", { faults: [{ detail: "its body was dropped: have the platform send it again" }] });
  const { store } = await readProgram(tx);
  const to = receiptState(translateReceipt({ ...receipt, body }, store.currency));
  await Promise.all([renewReceipt(tx, receipt.key, to), replaceWarnings(tx, uid, to.warnings)]);
  tx.afterCommit(() => deps.wake.receipts());
  return to.state;
}
