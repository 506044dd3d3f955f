import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { enqueueMail } from "../mail/enqueue-mail.ts";
import { htmlOfText } from "../mail/html-of-text.ts";
import { readProgram } from "../program/read-program.ts";
import type { Alert, AlertSettings } from "./alert.ts";
import {
  type AlertChannel,
  claimMailTurn,
  deleteOldAlerts,
  recordSent,
  recordWebhookResult,
  selectAlertSettings,
  selectUnsent,
  skipEnded,
  updateAlerts,
} from "./alert-queries.ts";
import { type AlertMessage, alertMessage } from "./alert-text.ts";
import { postAlertText } from "./post-alert-text.ts";
import { readBackupRoom } from "./read-backup-room.ts";
import { readFindings } from "./read-findings.ts";

/** The minimum time between two mails; each covers everything since the previous one. */
const MAIL_PAUSE_S = 600;
/** The maximum number of alerts in one message. */
const MESSAGE_MAX = 50;
/** Older alerts are not mailed. */
const MAIL_HOURS = 48;
const ALERT_LOG_DAYS = 90;

/**
 * Opens alerts for new findings, ends those that are over, and notifies people of both, once each. Does nothing while alerts are off. If the process
 * is killed after the webhook's response and before it is recorded, the webhook gets that message again.
 */
export async function watchAlerts(deps: Deps, signal?: AbortSignal): Promise<number> {
  await deleteOldAlerts(deps.db, ALERT_LOG_DAYS);
  const room = await readBackupRoom(deps);
  const changed = await deps.db.tx(async (tx) => {
    const settings = await selectAlertSettings(tx, "share");
    if (!settings.isOn) return null;
    return await updateAlerts(tx, await readFindings(tx, { ...deps, room }, settings), () => deps.random.uid());
  });
  if (changed === null) return 0;
  await deps.db.tx((tx) => mailUnsent(tx, deps));
  if (signal?.aborted !== true) await postUnsent(deps);
  return changed;
}

/** Queues one mail per address with everything that was not mailed: all of the mails or, if the queue is full, none. */
async function mailUnsent(tx: Tx, deps: Deps): Promise<void> {
  const settings = await selectAlertSettings(tx, "share");
  if (deps.config.mail === null || settings.addresses.length === 0) return await skipEnded(tx, "mailed");
  const unsent = await readMessage(tx, deps, settings, "mailed");
  if (unsent === null || !(await claimMailTurn(tx, MAIL_PAUSE_S))) return;
  const { subject, text } = unsent.message;
  const batch = deps.random.uid();
  for (const [i, to] of settings.addresses.entries()) {
    const queued = await enqueueMail(tx, deps, {
      idempotencyKey: `alerts/${batch}/${i}`,
      category: "alert",
      to,
      subject,
      text,
      html: htmlOfText(text),
      expiresAt: deps.clock.now().add({ hours: MAIL_HOURS }),
    });
    if (queued !== "queued") throw new Error(`a mail of alerts was not queued: ${queued}`);
  }
  await recordSent(tx, "mailed", unsent.alerts);
}

async function postUnsent(deps: Deps): Promise<void> {
  const settings = await selectAlertSettings(deps.db);
  if (settings.webhookSealed === null) return await skipEnded(deps.db, "posted");
  const unsent = await deps.db.tx((tx) => readMessage(tx, deps, settings, "posted"));
  if (unsent === null) return;
  const { subject, text } = unsent.message;
  const error = await postAlertText(deps, deps.secretBox.open(settings.webhookSealed), `${subject}\n${text}`);
  await recordWebhookResult(deps.db, error);
  if (error === null) await recordSent(deps.db, "posted", unsent.alerts);
}

/** Returns what a channel has not sent, as one message; null: nothing. */
async function readMessage(
  tx: Tx,
  { config: { publicUrl } }: Pick<Deps, "config">,
  { language }: Pick<AlertSettings, "language">,
  channel: AlertChannel,
): Promise<{ readonly alerts: readonly Alert[]; readonly message: AlertMessage } | null> {
  const found = await selectUnsent(tx, channel, MESSAGE_MAX + 1);
  const alerts = found.slice(0, MESSAGE_MAX);
  if (alerts.length === 0) return null;
  const { timeZone } = (await readProgram(tx)).store;
  const options = { sentOf: (alert: Alert) => alert[channel], hasMore: found.length > MESSAGE_MAX };
  return { alerts, message: alertMessage(alerts, { language, timeZone, publicUrl }, options) };
}
