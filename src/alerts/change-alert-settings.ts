import { canOpen } from "../credentials/secret-box.ts";
import type { Deps } from "../deps.ts";
import { isOverwrite, type SeenRevision } from "../http/revision.ts";
import { isMailAddress } from "../mail/mail.ts";
import { invalid, Problem } from "../problems.ts";
import { checkCallback } from "../webhooks/callbacks/check-callback.ts";
import { ALERT_ADDRESSES_MAX } from "../wire/alerts.ts";
import { type AlertSettings, EXPECTED_ADDRESSES, tidyAddresses, valuesOfAlerts } from "./alert.ts";
import { dropAlerts, forgetWebhookResult, selectAlertSettings, writeAlertSettings } from "./alert-queries.ts";

export interface AlertSettingsInput extends Omit<AlertSettings, "webhookSealed"> {
  /** Null removes it; absent: it is not changed. */
  readonly webhookUrl?: string | null | undefined;
}

/** Replaces the settings. The address of the webhook is checked like a callback's. Throws `changed_meanwhile`, and `invalid`, naming the field. */
export async function changeAlertSettings(
  deps: Pick<Deps, "db" | "config" | "secretBox">,
  { webhookUrl, ...input }: AlertSettingsInput,
  seen: SeenRevision = {},
): Promise<void> {
  const addresses = tidyAddresses(input.addresses);
  if (addresses.length > ALERT_ADDRESSES_MAX) throw invalid("/addresses", EXPECTED_ADDRESSES);
  const wrong = addresses.find((address) => !isMailAddress(address));
  if (wrong !== undefined) throw invalid("/addresses", `expected e-mail addresses, not "${wrong.slice(0, 100)}"`);
  if (typeof webhookUrl === "string") await checkCallback(deps, webhookUrl, { pointer: "/webhook_url" });
  await deps.db.tx(async (tx) => {
    const stored = await selectAlertSettings(tx, "update");
    const webhookSealed = sealedWebhook(deps, webhookUrl, stored);
    const given = { ...input, addresses, webhookSealed };
    if (isOverwrite(seen, { stored: valuesOfAlerts(stored), given: valuesOfAlerts(given) }))
      throw new Problem("changed_meanwhile");
    if (input.isOn && addresses.length === 0 && webhookSealed === null)
      throw invalid("/is_on", "expected an e-mail address or a webhook");
    await writeAlertSettings(tx, given);
    if (webhookUrl !== undefined) await forgetWebhookResult(tx);
    await dropAlerts(tx, input.isOn ? input.kinds : []);
  });
}

/** The webhook after a change: the stored one, unchanged, if its address is not given or is the same. */
function sealedWebhook(
  { secretBox }: Pick<Deps, "secretBox">,
  webhookUrl: string | null | undefined,
  { webhookSealed: stored }: AlertSettings,
): Buffer | null {
  if (webhookUrl === undefined) return stored;
  if (webhookUrl === null) return null;
  const isSame = stored !== null && canOpen(secretBox, stored) && secretBox.open(stored) === webhookUrl;
  return isSame ? stored : secretBox.seal(webhookUrl);
}
