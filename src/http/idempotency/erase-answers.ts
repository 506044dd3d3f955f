import type { Tx } from "../../db/pool.ts";
import { wholeAddress } from "../../db/whole-address.ts";

// A text that contains the address is compared further only then: most rows contain none.
const ERASE = `delete from idempotency i
using unnest($1::text[], $2::text[]) as t (part, whole)
where (position(t.part in lower(i.scope)) > 0 and lower(i.scope) ~ t.whole)
  or (position(t.part in lower(i.body)) > 0 and lower(i.body) ~ t.whole)`;

/**
 * Deletes stored answers (they last 24 hours) whose path or body contains one of the e-mails (lower case). The answers of somebody whose longer
 * address contains it stay: without its answer, a request that is sent again would be executed again.
 */
export async function eraseAnswers(tx: Tx, emails: readonly string[]): Promise<void> {
  const parts = [...new Set(emails.flatMap((email) => [email, encodeURIComponent(email).toLowerCase()]))];
  if (parts.length > 0) await tx.execute(ERASE, [parts, parts.map((part) => wholeAddress(part))]);
}
