import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type EnqueuedMail, enqueueMail } from "../mail/enqueue-mail.ts";
import { TEST_MARKS } from "./built-in-texts.ts";
import { type PreviewInput, previewMessage } from "./preview-message.ts";

/** Sends the message that `previewMessage` shows to one address, marked as a test. */
export async function sendTestMessage(
  tx: Tx,
  deps: Pick<Deps, "config" | "clock" | "random" | "secretBox" | "wake">,
  { to, ...input }: PreviewInput & { readonly to: string },
): Promise<EnqueuedMail> {
  const { subject, text, html } = await previewMessage(tx, deps, input);
  const idempotencyKey = `message-test/${deps.random.uid()}`;
  const marked = `${TEST_MARKS[input.language]} ${subject}`;
  return await enqueueMail(tx, deps, { idempotencyKey, category: "test", to, subject: marked, text, html });
}
