import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { LOCK_STORE_CREDENTIAL, writeApiSecretKey } from "./api-secret-key-queries.ts";
import { secretOf } from "./credentials.ts";

/**
 * Begins a rotation of the API secret key (program.md 7). The new secret is accepted at once beside the old one, which continues to sign deliveries
 * until `confirmApiSecretKey`. Beginning again replaces the new secret. Returns the secret, which is shown only this once. 422 if the secret comes
 * from POINTKEEPER_API_SECRET: it is changed there.
 */
export async function rotateApiSecretKey(
  deps: Pick<Deps, "db" | "clock" | "random" | "config" | "secretBox">,
): Promise<{ secret: string }> {
  if (deps.config.apiSecret !== undefined) {
    throw invalid("", "the API secret key is set by POINTKEEPER_API_SECRET: change it there and start again");
  }
  const secret = secretOf(deps.random.bytes(32));
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_STORE_CREDENTIAL);
    await writeApiSecretKey(tx, deps, "next", secret);
  });
  return { secret };
}
