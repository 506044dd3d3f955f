import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { enqueueMails } from "./enqueue-mails.ts";
import type { Mail } from "./mail.ts";
import { readMailCapacity } from "./read-mail-capacity.ts";

/**
 * `queued`: a worker sends it once the transaction has committed. `repeated`: a mail with this key was queued before. `off`: no mail server is
 * set. `full`: too many mails are waiting. Only `queued` and `repeated` mails are sent.
 */
export type EnqueuedMail = "queued" | "repeated" | "off" | "full";

/**
 * Queues a mail in the transaction of the change that it reports. Once that has committed, the mail is sent at least once; only where a
 * process is killed between the server's reply and recording it is the mail sent twice. Throws where the mail is invalid, which is a bug of
 * the caller.
 */
export async function enqueueMail(
  tx: Tx,
  deps: Pick<Deps, "config" | "clock" | "random" | "secretBox" | "wake">,
  mail: Mail,
): Promise<EnqueuedMail> {
  if (deps.config.mail === null) return "off";
  if ((await readMailCapacity(tx, mail.category)) === 0) return "full";
  return (await enqueueMails(tx, deps, [mail])) === 0 ? "repeated" : "queued";
}
