import { type Alert, type AlertSettings, type AlertStanding, SENT, valuesOfAlerts } from "../../alerts/alert.ts";
import { alertSentence } from "../../alerts/alert-text.ts";
import { revisionOf } from "../../http/revision.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { ShownAlert, ShownAlerts } from "./schema.ts";

/** Settings and log as an owner sees them. Only the host of the stored `webhookUrl` is shown. */
export function alertsView(
  settings: AlertSettings,
  { webhookUrl, hasMail }: { readonly webhookUrl: string | null; readonly hasMail: boolean },
  { standing, alerts }: { readonly standing: AlertStanding; readonly alerts: readonly Alert[] },
): ShownAlerts {
  return {
    is_on: settings.isOn,
    kinds: [...settings.kinds],
    addresses: [...settings.addresses],
    webhook_host: webhookUrl === null ? null : new URL(webhookUrl).host,
    language: settings.language,
    grant_percent: settings.grantPercent,
    revision: revisionOf(valuesOfAlerts(settings)),
    has_mail: hasMail,
    mailed_at: textOf(standing.mailedAt),
    webhook_at: textOf(standing.webhookAt),
    webhook_error: standing.webhookError,
    alerts: alerts.map(alertView),
  };
}

function alertView(alert: Alert): ShownAlert {
  const { uid, kind, beganAt, endedAt, mailed, posted } = alert;
  const sent = endedAt === null ? SENT.began : SENT.over;
  return {
    uid,
    kind,
    text: { en: alertSentence(alert, "en"), ja: alertSentence(alert, "ja") },
    began_at: formatInstant(beganAt),
    ended_at: textOf(endedAt),
    is_mailed: mailed >= sent,
    is_posted: posted >= sent,
  };
}

function textOf(at: Temporal.Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
