import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { hashSecret } from "./credentials.ts";

/** `current` signs; `next` is already accepted and replaces it when the rotation is confirmed (program.md 7). */
export type KeyState = "current" | "next";

/** Returns the decrypted secret, or null if there is none in this state. */
export async function readApiSecretKey(
  queryable: Queryable,
  deps: Pick<Deps, "secretBox">,
  state: KeyState,
): Promise<string | null> {
  const [row] = await queryable.query<{ sealed: Buffer }>("select sealed from api_secret_key where state = $1", [
    state,
  ]);
  return row === undefined ? null : deps.secretBox.open(row.sealed);
}

/** Returns the API secret key that signs the tokens of deliveries: the current one until a rotation is confirmed (program.md 7). */
export async function readSigningKey(queryable: Queryable, deps: Pick<Deps, "secretBox">): Promise<string> {
  const secret = await readApiSecretKey(queryable, deps, "current");
  if (secret === null)
    throw new Error("The store has no API secret key: the service was never started on this database.");
  return secret;
}

/** Stores a secret in a state, replacing the previous one. */
export async function writeApiSecretKey(
  queryable: Queryable,
  deps: Pick<Deps, "secretBox" | "clock">,
  state: KeyState,
  secret: string,
): Promise<void> {
  await queryable.execute(
    `insert into api_secret_key (state, sealed, secret_sha256, created_at)
     values ($1, $2, $3, $4)
     on conflict (state) do update
     set sealed = excluded.sealed, secret_sha256 = excluded.secret_sha256, created_at = excluded.created_at`,
    [state, deps.secretBox.seal(secret), hashSecret(secret), deps.clock.now()],
  );
}

/** Serializes changes of the store's own credential. */
export const LOCK_STORE_CREDENTIAL =
  "select pg_advisory_xact_lock(hashtextextended('pointkeeper store credential', 0))";
