import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type EnqueuedMail, enqueueMail } from "../mail/enqueue-mail.ts";
import { selectMailLog } from "../mail/mail-queries.ts";
import { TEST_MARKS } from "./built-in-texts.ts";
import { type PreviewInput, previewMessage } from "./preview-message.ts";

/** The test mails to one address within an hour: many more would delay the alerts, and fill the queue before links to sign in. */
const HOURLY_MAX = 20;
const LOCK = "select pg_advisory_xact_lock(hashtextextended('pointkeeper test mails', 0))";

/** Sends the message that `previewMessage` shows to one address, marked as a test; `full` also after too many tests within an hour. */
export async function sendTestMessage(
  tx: Tx,
  deps: Pick<Deps, "config" | "clock" | "random" | "secretBox" | "wake">,
  { to, ...input }: PreviewInput & { readonly to: string },
): Promise<EnqueuedMail> {
  await tx.query(LOCK);
  const earlier = await selectMailLog(tx, { category: "test", recipient: to, limit: HOURLY_MAX });
  const first = earlier[HOURLY_MAX - 1];
  const ageHours = first === undefined ? null : deps.clock.now().since(first.createdAt).total("hours");
  if (ageHours !== null && ageHours >= 0 && ageHours < 1) return "full"; // below 0: stored by a clock that was ahead
  const { subject, text, html } = await previewMessage(tx, deps, input);
  const idempotencyKey = `message-test/${deps.random.uid()}`;
  const marked = `${TEST_MARKS[input.language]} ${subject}`;
  return await enqueueMail(tx, deps, { idempotencyKey, category: "test", to, subject: marked, text, html });
}
