import type { Deps } from "../deps.ts";
import { canOpen } from "../shop/secret-box.ts";
import { type SealedSecrets, selectSealedSecrets } from "./sealed-secrets.ts";
import { SECRET_BYTES, secretText } from "./subscription-secret.ts";

/** The topics whose subscription has a secret that the secret key at hand does not open. */
export async function listLostSubscriptions(deps: Pick<Deps, "db" | "secretBox">): Promise<string[]> {
  const isLost = ({ secret, next }: SealedSecrets) =>
    [secret, next].some((sealed) => sealed !== null && !canOpen(deps.secretBox, sealed));
  return (await selectSealedSecrets(deps.db)).filter(isLost).map(({ topic }) => topic);
}

/**
 * Gives each subscription whose secret cannot be opened any more a new one, told this once: its deliveries are signed with that from now
 * on, and its receiver must be given it.
 */
export async function resetSubscriptionSecrets(
  deps: Pick<Deps, "db" | "secretBox" | "random">,
): Promise<{ topic: string; secret: string }[]> {
  const made = (await listLostSubscriptions(deps)).map((topic) => ({
    topic,
    secret: secretText(deps.random.bytes(SECRET_BYTES)),
  }));
  for (const { topic, secret } of made) {
    await deps.db.execute(
      "update subscription set secret_sealed = $2, next_secret_sealed = null where topic = $1",
      [topic, deps.secretBox.seal(secret)],
    );
  }
  return made;
}
