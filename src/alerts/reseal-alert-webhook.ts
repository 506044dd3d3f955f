import type { Deps } from "../deps.ts";
import { selectAlertSettings, writeAlertSettings } from "./alert-queries.ts";

/** Encrypts the webhook's address with the current secret key. Returns 1 if another key had sealed it, else 0. */
export async function resealAlertWebhook(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  return await deps.db.tx(async (tx) => {
    const settings = await selectAlertSettings(tx, "update");
    const webhookSealed = settings.webhookSealed === null ? null : deps.secretBox.resealed(settings.webhookSealed);
    if (webhookSealed === null) return 0;
    await writeAlertSettings(tx, { ...settings, webhookSealed });
    return 1;
  });
}
