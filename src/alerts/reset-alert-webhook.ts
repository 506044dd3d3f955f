import { canOpen } from "../credentials/secret-box.ts";
import type { Deps } from "../deps.ts";
import { selectAlertSettings, writeAlertSettings } from "./alert-queries.ts";

/** Removes the webhook if no available secret key decrypts its address; a dry run removes nothing. Returns whether that is so. */
export async function resetAlertWebhook(
  deps: Pick<Deps, "db" | "secretBox">,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<boolean> {
  return await deps.db.tx(async (tx) => {
    const settings = await selectAlertSettings(tx, "update");
    const { webhookSealed, addresses, isOn } = settings;
    if (webhookSealed === null || canOpen(deps.secretBox, webhookSealed)) return false;
    const rest = { ...settings, webhookSealed: null, isOn: isOn && addresses.length > 0 };
    if (!isDryRun) await writeAlertSettings(tx, rest);
    return true;
  });
}
