import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { LOCK_STORE_CREDENTIAL, writeApiSecretKey } from "./api-secret-key-queries.ts";
import { hashSecret, secretOf } from "./credentials.ts";
import { canOpen } from "./secret-box.ts";

type ResetDeps = Pick<Deps, "db" | "clock" | "random" | "config" | "secretBox">;

/**
 * Replaces an API secret key that can no longer be decrypted, and a waiting next one, by POINTKEEPER_API_SECRET or else by a new one, which is shown
 * only this once. The old one is no longer accepted. Returns null if the key can be decrypted. A dry run returns a secret that is not valid.
 */
export async function resetApiSecretKey(
  deps: ResetDeps,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<{ secret: string; isGiven: boolean } | null> {
  const rows = await deps.db.query<{ sealed: Buffer }>("select sealed from api_secret_key");
  if (rows.every(({ sealed }) => canOpen(deps.secretBox, sealed))) return null;
  const given = deps.config.apiSecret;
  const secret = given ?? secretOf(deps.random.bytes(32));
  const write = async (tx: Tx) => {
    await tx.query(LOCK_STORE_CREDENTIAL);
    await tx.execute("delete from api_secret_key where state = 'next'");
    await writeApiSecretKey(tx, deps, "current", secret);
    await tx.execute("update credential set secret_sha256 = $1 where is_store", [hashSecret(secret)]);
  };
  if (!isDryRun) await deps.db.tx(write);
  return { secret, isGiven: given !== undefined };
}
