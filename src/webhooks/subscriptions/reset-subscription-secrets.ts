import { canOpen } from "../../credentials/secret-box.ts";
import type { Deps } from "../../deps.ts";
import { type SealedSecrets, selectSealedSecrets } from "./secret-queries.ts";
import { SECRET_BYTES, secretText } from "./subscription-secret.ts";

/**
 * Gives each subscription whose secret can no longer be decrypted a new one, which is returned only once. Its deliveries are signed with it from now
 * on, so its receiver needs it. A dry run returns only the topics, with secrets that are not used.
 */
export async function resetSubscriptionSecrets(
  deps: Pick<Deps, "db" | "secretBox" | "random">,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<{ topic: string; secret: string }[]> {
  const isLost = ({ secret, next }: SealedSecrets) =>
    [secret, next].some((sealed) => sealed !== null && !canOpen(deps.secretBox, sealed));
  const lost = (await selectSealedSecrets(deps.db)).filter(isLost);
  const made = lost.map(({ uid, topic }) => ({ uid, topic, secret: secretText(deps.random.bytes(SECRET_BYTES)) }));
  for (const { uid, secret } of isDryRun ? [] : made) {
    await deps.db.execute("update subscription set secret_sealed = $2, next_secret_sealed = null where uid = $1", [
      uid,
      deps.secretBox.seal(secret),
    ]);
  }
  return made;
}
