import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { SECRET_LENGTH_MIN } from "../environment.ts";
import { SCOPES } from "../wire/access.ts";
import { LOCK_STORE_CREDENTIAL, readSigningKey, writeApiSecretKey } from "./api-secret-key-queries.ts";
import { hashSecret, keyOf, secretOf } from "./credentials.ts";

type StoreDeps = Pick<Deps, "db" | "clock" | "random" | "config" | "secretBox" | "log">;

/** The store's own credential, just created; the secret is shown only this once. */
export interface MadeCredential {
  readonly key: string;
  readonly secret: string;
  /** Both came from the settings, so they need not be shown. */
  readonly isGiven: boolean;
}

/**
 * Creates the first credential (program.md 2 and 8), with POINTKEEPER_API_KEY and POINTKEEPER_API_SECRET if set; returns null if it exists. Then the
 * settings still have priority: a key or secret that differs from the stored one replaces it at once, without the overlap of a rotation. Throws
 * SecretBoxError if the secret key is not the one that sealed the secret. `tell` gets a new credential before it is valid; if it cannot show it, none
 * is created.
 */
export async function ensureStoreCredential(
  deps: StoreDeps,
  tell: (made: MadeCredential) => Promise<void> = async () => {},
): Promise<MadeCredential | null> {
  return deps.db.tx(async (tx) => {
    await tx.query(LOCK_STORE_CREDENTIAL);
    const [store] = await tx.query<{ uid: string; key: string }>("select uid, key from credential where is_store");
    if (store === undefined) {
      const made = await makeStoreCredential(tx, deps);
      await tell(made);
      return made;
    }
    await followSettings(tx, deps, store);
    return null;
  });
}

async function makeStoreCredential(tx: Tx, deps: StoreDeps): Promise<MadeCredential> {
  const { apiKey, apiSecret } = deps.config;
  const key = apiKey ?? keyOf(deps.random.bytes(8));
  const secret = apiSecret ?? secretOf(deps.random.bytes(32));
  await tx.execute(
    `insert into credential (uid, name, key, secret_sha256, scopes, is_store, created_at)
     values ($1, 'store', $2, $3, $4, true, $5)`,
    [deps.random.uid(), key, hashSecret(secret), SCOPES, deps.clock.now()],
  );
  await writeApiSecretKey(tx, deps, "current", secret);
  return { key, secret, isGiven: apiKey !== undefined && apiSecret !== undefined };
}

async function followSettings(tx: Tx, deps: StoreDeps, store: { uid: string; key: string }): Promise<void> {
  const { apiKey, apiSecret } = deps.config;
  const secret = await readSigningKey(tx, deps);
  if (apiSecret === undefined && secret.length < SECRET_LENGTH_MIN) {
    deps.log.warn({}, "the store's API secret key is short: rotate it (pointkeeper credentials rotate-store-key)");
  }
  if (apiKey !== undefined && apiKey !== store.key) {
    await tx.execute("update credential set key = $2 where uid = $1", [store.uid, apiKey]);
    deps.log.warn({}, "the store's API key is now the one of POINTKEEPER_API_KEY");
  }
  if (apiSecret !== undefined && apiSecret !== secret) {
    await tx.execute("update credential set secret_sha256 = $2 where uid = $1", [store.uid, hashSecret(apiSecret)]);
    await tx.execute("delete from api_secret_key where state = 'next'");
    await writeApiSecretKey(tx, deps, "current", apiSecret);
    deps.log.warn({}, "the store's API secret key is now the one of POINTKEEPER_API_SECRET");
  }
}
