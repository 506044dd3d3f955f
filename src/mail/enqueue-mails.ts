import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { contentText, type Mail, mailFault, priorityOf } from "./mail.ts";

const INSERT = `insert into mail (uid, idempotency_key, category, priority, recipient, subject, content_sealed, bucket, customer_uid,
  created_at, expires_at)
select m.uid, m.idempotency_key, m.category, m.priority, m.recipient, m.subject, m.content_sealed, m.bucket, m.customer_uid,
  $10, m.expires_at
from unnest($1::uuid[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::text[], $7::bytea[], $8::smallint[], $9::uuid[],
  $11::timestamptz[])
  as m (uid, idempotency_key, category, priority, recipient, subject, content_sealed, bucket, customer_uid, expires_at)
on conflict (idempotency_key) do nothing`;

/**
 * Queues mails in the transaction of the change that they report, in one statement. The caller has checked that a mail server is set and that
 * the queue has room. Returns how many were queued; the others had been queued before. Throws where a mail is invalid, which is a bug of the
 * caller.
 */
export async function enqueueMails(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "secretBox" | "wake">,
  mails: readonly Mail[],
): Promise<number> {
  if (mails.length === 0) return 0;
  for (const mail of mails) {
    const fault = mailFault(mail);
    if (fault !== null) throw new Error(`a mail of ${mail.category} cannot be sent: ${fault}`);
  }
  const written = await tx.execute(INSERT, [
    mails.map(() => deps.random.uid()),
    mails.map(({ idempotencyKey }) => idempotencyKey),
    mails.map(({ category }) => category),
    mails.map(({ category }) => priorityOf(category)),
    mails.map(({ to }) => to),
    mails.map(({ subject }) => subject),
    mails.map((mail) => deps.secretBox.seal(contentText(mail))),
    mails.map(({ customer }) => customer?.bucket ?? null),
    mails.map(({ customer }) => customer?.customerUid ?? null),
    deps.clock.now(),
    mails.map(({ expiresAt }) => expiresAt ?? null),
  ]);
  if (written > 0) tx.afterCommit(deps.wake.mails);
  return written;
}
