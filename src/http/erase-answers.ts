import type { Tx } from "../db/pool.ts";

const ERASE = `delete from idempotency i
using unnest($1::text[]) as t (part)
where position(t.part in lower(i.scope)) > 0
  or position(t.part in lower(i.body)) > 0`;

/** Deletes stored answers (they last 24 hours) whose path or body contains one of the e-mails (lower case). */
export async function eraseAnswers(tx: Tx, emails: readonly string[]): Promise<void> {
  const parts = emails.flatMap((email) => [email, encodeURIComponent(email).toLowerCase()]);
  if (parts.length > 0) await tx.execute(ERASE, [[...new Set(parts)]]);
}
