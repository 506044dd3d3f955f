import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { Problem } from "../../problems.ts";
import { findCustomer } from "../find-customer.ts";
import { deleteNote, selectNote } from "./note-queries.ts";

/**
 * Removes a note about a customer; repeating it changes nothing. Throws `customer_not_found`, `ambiguous_email`, and `forbidden` if the
 * note is another person's and `by` may remove only their own.
 */
export async function removeNote(
  deps: Deps,
  named: string,
  uid: string,
  by: { readonly staffUid: string; readonly mayRemoveAll: boolean },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const customer = await findCustomer(tx, named);
    await lockLiveBalances(tx, [customer]);
    const note = await selectNote(tx, customer, uid);
    if (note === undefined) return;
    if (note.writtenBy !== by.staffUid && !by.mayRemoveAll) {
      throw new Problem("forbidden", { faults: [{ detail: "expected a note of your own" }] });
    }
    await deleteNote(tx, customer, uid);
    const subject = { kind: "customer", id: customer.storefrontId };
    await recordAction(tx, deps, { action: "customer.note_removed", subject, before: { note: uid } });
  });
}
