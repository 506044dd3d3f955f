import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { contentText, type Mail, mailFault, priorityOf, waitingMax } from "./mail.ts";
import { countWaitingMails } from "./mail-queries.ts";

/**
 * `queued`: a worker sends it once the transaction has committed. `repeated`: a mail with its key was queued before. `off`: no mail server is
 * set. `full`: too many wait. Only `queued` and `repeated` will arrive, as far as the server takes it.
 */
export type EnqueuedMail = "queued" | "repeated" | "off" | "full";

const INSERT = `insert into mail (uid, idempotency_key, category, priority, recipient, subject, content_sealed, bucket, customer_uid,
  created_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (idempotency_key) do nothing`;

/**
 * Queues a mail in the transaction of what it tells about: it is sent if that commits, at least once and, but for a process that is killed
 * between the server's answer and its note of it, exactly once. Throws where the mail itself is wrong, which is a bug of the caller's.
 */
export async function enqueueMail(
  tx: Tx,
  deps: Pick<Deps, "config" | "clock" | "random" | "secretBox" | "wake">,
  mail: Mail,
): Promise<EnqueuedMail> {
  if (deps.config.mail === null) return "off";
  const fault = mailFault(mail);
  if (fault !== null) throw new Error(`a mail of ${mail.category} cannot be sent: ${fault}`);
  const { idempotencyKey, category, to, subject, expiresAt = null, customer } = mail;
  const max = waitingMax(category);
  if ((await countWaitingMails(tx, max)) >= max) return "full";
  const written = await tx.execute(INSERT, [
    ...[deps.random.uid(), idempotencyKey, category, priorityOf(category), to, subject],
    ...[deps.secretBox.seal(contentText(mail)), customer?.bucket ?? null, customer?.customerUid ?? null],
    ...[deps.clock.now(), expiresAt],
  ]);
  if (written === 0) return "repeated";
  tx.afterCommit(deps.wake.mails);
  return "queued";
}
