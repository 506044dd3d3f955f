import type { Deps } from "../deps.ts";
import { LOCK_STORE_CREDENTIAL } from "./api-secret-key-queries.ts";

/** Encrypts the API secret keys with the current secret key. Returns how many were sealed by another one. */
export async function resealApiSecretKeys(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  return deps.db.tx(async (tx) => {
    await tx.query(LOCK_STORE_CREDENTIAL);
    const rows = await tx.query<{ state: string; sealed: Buffer }>("select state, sealed from api_secret_key");
    let count = 0;
    for (const { state, sealed } of rows) {
      const resealed = deps.secretBox.resealed(sealed);
      if (resealed !== null)
        count += await tx.execute("update api_secret_key set sealed = $2 where state = $1", [state, resealed]);
    }
    return count;
  });
}
