import type { Deps } from "../../deps.ts";
import { selectSealedSecrets } from "./secret-queries.ts";

/** Replaces only the value that was read: a secret that was rotated meanwhile is already sealed with the current key. */
const WRITE = `
update subscription
set secret_sealed = $2, next_secret_sealed = $4
where uid = $1 and secret_sealed = $3 and next_secret_sealed is not distinct from $5`;

/** Encrypts the secrets of subscriptions with the current secret key. Returns the number of changed rows. */
export async function resealSubscriptionSecrets(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  let count = 0;
  for (const { uid, secret, next } of await selectSealedSecrets(deps.db)) {
    const resealed = deps.secretBox.resealed(secret);
    const resealedNext = next === null ? null : deps.secretBox.resealed(next);
    if (resealed === null && resealedNext === null) continue;
    const params = [uid, resealed ?? secret, secret, resealedNext ?? next, next];
    count += await deps.db.execute(WRITE, params);
  }
  return count;
}
