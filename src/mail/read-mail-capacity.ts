import type { Tx } from "../db/pool.ts";
import { type MailCategory, waitingMax } from "./mail.ts";
import { countWaitingMails } from "./mail-queries.ts";

/** How many more mails of a category can be queued. */
export async function readMailCapacity(tx: Tx, category: MailCategory): Promise<number> {
  const max = waitingMax(category);
  return Math.max(0, max - (await countWaitingMails(tx, max)));
}
