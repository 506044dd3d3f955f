import { selectCustomers } from "../customers/customer-queries.ts";
import { deleteCustomer } from "../customers/delete-customer.ts";
import { forgetFormerAddresses } from "../customers/former-address-queries.ts";
import type { Tx } from "../db/pool.ts";
import { wholeAddress } from "../db/whole-address.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { CustomerDeleted } from "../platforms/neutral-events.ts";
import { erasePerson } from "../privacy/erase-person.ts";
import { readRedactedEmails } from "./read-redacted-emails.ts";
import { redactedRows } from "./redacted-rows.ts";

// The literals beside the parameter let the planner use the partial indexes, because it does not know a parameter's value.
const ERASE_SUBJECTS = `update receipt
set state = 'done',
  note = 'erased',
  headers = null,
  body = null
where (subject = any($1) and subject like 'order/%'
    or subject = any($1) and subject like 'customer/%')
  and body is not null
  and state <> 'new'`;

// Bodies that could not be read have no subject, so their text is searched: an index has only those. In the text, a backslash of the body is two,
// and a byte beyond ASCII is one with three digits.
const ERASE_UNREAD = `update receipt r
set state = 'done',
  note = 'erased',
  headers = null,
  body = null
from unnest($1::text[], $2::text[]) as t (email, whole)
where r.subject = ''
  and r.body is not null
  and position(t.email in lower(encode(r.body, 'escape'))) > 0
  and lower(encode(r.body, 'escape')) ~ t.whole`;

/** What may stand directly before an address in that text, although it ends with a letter or digit: escapes of JSON, and bytes. */
const ESCAPES = ["\\\\\\\\(u[0-9a-f]{4}|[bfnrt])", "\\\\[0-7]{3}"];

type Redacted = Omit<CustomerDeleted["payload"], "reason">;

/**
 * Erases a customer's personal data everywhere, and deletes the customer if that was not done before (platforms.md 1.1). For an id that was
 * merged into another customer, only the data of that id is erased: the survivor stays. If it is called again, it erases only what arrived
 * meanwhile.
 */
export async function redactCustomer(
  tx: Tx,
  deps: PostingDeps,
  named: Redacted & { readonly appReference: string },
): Promise<void> {
  const { customerId, ordersToRedact: orderIds = [] } = named;
  const emails = await readRedactedEmails(tx, named);
  const customer = await deleteCustomer(tx, deps, customerId, named.appReference);
  const merged = await selectCustomers(tx, await readMerged(tx, customer));
  const rows = redactedRows(customer, merged, customerId);
  await forgetFormerAddresses(tx, [customer, ...merged]);
  const orders = await erasePerson(tx, deps, { rows, orderIds, emails });
  await eraseReceipts(tx, {
    storefrontIds: [customerId, ...rows.map(({ storefrontId }) => storefrontId)],
    orderIds: [...orderIds, ...orders.orderIds],
    emails: [...emails, ...orders.emails],
  });
}

/**
 * Erases the deliveries about customers and orders, unless they are still to be processed: they may be about points of somebody who lives, and are
 * stored without the person. Erases unreadable bodies that contain one of the e-mails (lower case): not those of somebody whose longer address contains
 * it, which a later version may read.
 */
async function eraseReceipts(
  tx: Tx,
  person: {
    readonly storefrontIds: readonly string[];
    readonly orderIds: readonly string[];
    readonly emails: readonly string[];
  },
): Promise<void> {
  const subjects = [
    ...person.storefrontIds.map((id) => `customer/${id}`),
    ...person.orderIds.map((id) => `order/${id}`),
  ];
  await tx.execute(ERASE_SUBJECTS, [subjects]);
  const whole = person.emails.map((email) => wholeAddress(email, ESCAPES));
  if (whole.length > 0) await tx.execute(ERASE_UNREAD, [person.emails, whole]);
}
