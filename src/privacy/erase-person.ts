import type { CustomerRow } from "../customers/customer.ts";
import { selectByEmails } from "../customers/customer-queries.ts";
import { eraseCustomers } from "../customers/erase-customers.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { eraseExports } from "../exports/erase-exports.ts";
import { eraseHistory } from "../history/erase-history.ts";
import { eraseAnswers } from "../http/idempotency/erase-answers.ts";
import { eraseImports } from "../imports/erase-imports.ts";
import { eraseNotes } from "../ledger/balance-queries.ts";
import { eraseMails } from "../mail/erase-mails.ts";
import { eraseMessages } from "../messages/erase-messages.ts";
import { type ErasedOrders, eraseOrders } from "../orders/erase-orders.ts";
import { eraseEvents } from "../webhooks/erase-events.ts";

/** The data of one person: a customer and those who were merged into them, already deleted. */
export interface PersonToErase {
  readonly rows: readonly CustomerRow[];
  /** The orders that the platform names, whether they are the customer's here or not. */
  readonly orderIds: readonly string[];
  readonly emails: readonly string[];
}

/**
 * Erases a person everywhere except in the receipts (platforms.md 1.1, customers/redact): profile, notes, orders' e-mails, payloads, files, stored
 * responses. The ledger keeps its rows under uids and the platform's ids, which identify nobody once the platform has erased them. Returns the person's
 * orders, and the e-mails on them that no other customer has.
 */
export async function erasePerson(tx: Tx, deps: Pick<Deps, "clock">, person: PersonToErase): Promise<ErasedOrders> {
  const { rows: refs, orderIds, emails } = person;
  const erased = await eraseOrders(tx, { refs, orderIds, emails });
  const held = await selectByEmails(tx, erased.emails);
  const orders = { ...erased, emails: erased.emails.filter((email) => !held.has(email)) };
  await eraseCustomers(tx, refs, deps.clock.now());
  await eraseNotes(tx, refs);
  await eraseHistory(tx, refs);
  await eraseEvents(tx, refs);
  await eraseMails(tx, refs);
  await eraseMessages(tx, refs);
  await eraseExports(tx, refs);
  await eraseImports(tx, refs);
  await eraseAnswers(tx, [...emails, ...orders.emails]);
  return orders;
}
