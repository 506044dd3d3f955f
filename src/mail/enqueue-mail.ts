import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { enqueueMails } from "./enqueue-mails.ts";
import type { Mail } from "./mail.ts";
import { readMailRoom } from "./read-mail-room.ts";

/**
 * `queued`: a worker sends it once the transaction has committed. `repeated`: a mail with its key was queued before. `off`: no mail server is
 * set. `full`: too many wait. Only `queued` and `repeated` will arrive, as far as the server takes it.
 */
export type EnqueuedMail = "queued" | "repeated" | "off" | "full";

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
  if ((await readMailRoom(tx, mail.category)) === 0) return "full";
  return (await enqueueMails(tx, deps, [mail])) === 0 ? "repeated" : "queued";
}
