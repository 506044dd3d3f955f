import { selectAlertSettings, selectAlertStanding, selectAlerts } from "../../alerts/alert-queries.ts";
import { changeAlertSettings } from "../../alerts/change-alert-settings.ts";
import { sendTestAlert } from "../../alerts/send-test-alert.ts";
import { canOpen } from "../../credentials/secret-box.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { type AlertsInput, alertsAnswer, alertsBody, alertTestAnswer } from "./schema.ts";
import { alertsView } from "./view.ts";

const config = { permission: "alerts.manage" } as const;
const SHOWN = 50;

/** `/alerts`: the conditions of which people are notified, where, and the latest alerts (docs/alerts.md). */
export function alertsAdminRoutes(app: App, deps: Deps): void {
  app.get("/alerts", { config, schema: { hide: true, response: { 200: alertsAnswer } } }, async () => ({
    data: await readShown(deps),
  }));

  app.put(
    "/alerts",
    { config, schema: { hide: true, body: alertsBody, response: { 200: alertsAnswer } } },
    async ({ body }) => {
      await changeAlertSettings(deps, inputOf(body), body);
      return { data: await readShown(deps) };
    },
  );

  app.post("/alerts/test", { config, schema: { hide: true, response: { 200: alertTestAnswer } } }, async () => {
    const { mails, hasMail, webhook, webhookError } = await sendTestAlert(deps);
    return { data: { mails, has_mail: hasMail, webhook, webhook_error: webhookError } };
  });
}

function inputOf({ is_on, kinds, addresses, webhook_url, language, grant_percent }: AlertsInput) {
  return {
    isOn: is_on,
    kinds: [...new Set(kinds)],
    addresses,
    webhookUrl: webhook_url,
    language,
    grantPercent: grant_percent,
  };
}

async function readShown(deps: Deps) {
  const settings = await selectAlertSettings(deps.db);
  const { webhookSealed: sealed } = settings;
  const webhookUrl = sealed !== null && canOpen(deps.secretBox, sealed) ? deps.secretBox.open(sealed) : null;
  const log = { standing: await selectAlertStanding(deps.db), alerts: await selectAlerts(deps.db, SHOWN) };
  return alertsView(settings, { webhookUrl, hasMail: deps.config.mail !== null }, log);
}
