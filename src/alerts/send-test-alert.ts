import type { Deps } from "../deps.ts";
import { enqueueMail } from "../mail/enqueue-mail.ts";
import { htmlOfText } from "../mail/html-of-text.ts";
import { recordWebhookResult, selectAlertSettings } from "./alert-queries.ts";
import { testAlertMessage } from "./alert-text.ts";
import { postAlertText } from "./post-alert-text.ts";

export interface AlertTest {
  /** The number of queued mails. */
  readonly mails: number;
  /** Whether a mail server is set. */
  readonly hasMail: boolean;
  /** `none`: no webhook is set; otherwise whether it accepted the message. */
  readonly webhook: "none" | "taken" | "failed";
  readonly webhookError: string | null;
}

/** Sends a test to every address and the webhook, even if alerts are off. Call it outside every transaction. */
export async function sendTestAlert(deps: Deps): Promise<AlertTest> {
  const { addresses, language, webhookSealed } = await selectAlertSettings(deps.db);
  const { subject, text } = testAlertMessage({ language, publicUrl: deps.config.publicUrl });
  const batch = deps.random.uid();
  const queued = await deps.db.tx(async (tx) => {
    let count = 0;
    for (const [i, to] of addresses.entries()) {
      const mail = { idempotencyKey: `alerts-test/${batch}/${i}`, to, subject, text, html: htmlOfText(text) };
      if ((await enqueueMail(tx, deps, { ...mail, category: "alert" })) === "queued") count++;
    }
    return count;
  });
  const sent = { mails: queued, hasMail: deps.config.mail !== null };
  if (webhookSealed === null) return { ...sent, webhook: "none", webhookError: null };
  const webhookError = await postAlertText(deps, deps.secretBox.open(webhookSealed), `${subject}\n${text}`);
  await recordWebhookResult(deps.db, webhookError);
  return { ...sent, webhook: webhookError === null ? "taken" : "failed", webhookError };
}
