import type { Tx } from "../db/pool.ts";

const ERASE_SUBJECTS = `update receipt
set state = 'done',
  note = 'erased',
  headers = null,
  body = null
where subject = any($1)
  and body is not null`;

// Bodies that could not be read have no subject: what stands in them tells.
const ERASE_UNREAD = `update receipt r
set state = 'done',
  note = 'erased',
  headers = null,
  body = null
from unnest($1::text[]) as t (email)
where r.subject = ''
  and r.body is not null
  and position(t.email in lower(encode(r.body, 'escape'))) > 0`;

/** Erases what was delivered of customers and orders, processed or not, and what nobody could read that names an e-mail (lower case). */
export async function eraseReceipts(
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
  if (person.emails.length > 0) await tx.execute(ERASE_UNREAD, [person.emails]);
}
