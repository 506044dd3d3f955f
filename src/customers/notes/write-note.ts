import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { invalid } from "../../problems.ts";
import { NOTES_MAX } from "../../wire/limits.ts";
import { findCustomer } from "../find-customer.ts";
import { type CustomerNote, countNotes, insertNote, selectNote } from "./note-queries.ts";

/**
 * Stores a note about a customer. The same note sent again is stored once. The audit log records the note, not its text, which is removed
 * with the customer. Throws `customer_not_found`, `ambiguous_email`, and `invalid` if the customer has the maximum number of notes.
 */
export async function writeNote(
  deps: Deps,
  named: string,
  { uid, body, writtenBy, writtenName }: Omit<CustomerNote, "writtenAt">,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const customer = await findCustomer(tx, named);
    await lockLiveBalances(tx, [customer]);
    if ((await selectNote(tx, customer, uid)) !== undefined) return;
    if ((await countNotes(tx, customer)) >= NOTES_MAX)
      throw invalid("/text", `expected fewer than ${NOTES_MAX} notes: remove one first`);
    await insertNote(tx, customer, { uid, body, writtenBy, writtenName, writtenAt: deps.clock.now() });
    const subject = { kind: "customer", id: customer.storefrontId };
    await recordAction(tx, deps, { action: "customer.note_added", subject, after: { note: uid } });
  });
}
