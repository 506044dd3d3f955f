import type { Deps } from "../deps.ts";
import { LOCK_STORE_CREDENTIAL, writeApiSecretKey } from "./api-secret-key-queries.ts";
import { hashSecret, secretOf } from "./credentials.ts";
import { canOpen } from "./secret-box.ts";

type ResetDeps = Pick<Deps, "db" | "clock" | "random" | "config" | "secretBox">;

/** Whether an API secret key is stored that the secret key at hand does not open. */
export async function isApiSecretKeyLost(deps: Pick<Deps, "db" | "secretBox">): Promise<boolean> {
  const rows = await deps.db.query<{ sealed: Buffer }>("select sealed from api_secret_key");
  return rows.some(({ sealed }) => !canOpen(deps.secretBox, sealed));
}

/**
 * Replaces an API secret key that cannot be opened any more, and one that waited to take over: by POINTKEEPER_API_SECRET, else by a new
 * one, which is told this once. The old one opens nothing from now on. Returns null where nothing is lost.
 */
export async function resetApiSecretKey(deps: ResetDeps): Promise<{ secret: string; isGiven: boolean } | null> {
  if (!(await isApiSecretKeyLost(deps))) return null;
  const given = deps.config.apiSecret;
  const secret = given ?? secretOf(deps.random.bytes(32));
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_STORE_CREDENTIAL);
    await tx.execute("delete from api_secret_key where state = 'next'");
    await writeApiSecretKey(tx, deps, "current", secret);
    await tx.execute("update credential set secret_sha256 = $1 where is_store", [hashSecret(secret)]);
  });
  return { secret, isGiven: given !== undefined };
}
