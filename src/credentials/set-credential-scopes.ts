import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { SCOPES, type Scope } from "../wire/access.ts";
import { findActiveCredential } from "./credential-queries.ts";

/** A credential after its scopes were set. */
export interface ScopedCredential {
  readonly name: string;
  readonly isStore: boolean;
  readonly scopes: readonly Scope[];
}

/**
 * Sets the scopes of the credential with a key or name; every node applies them within two seconds. The store's own may have no scope: its secret
 * then gives no access to the API and still signs deliveries (program.md 2). 422 if there is no such credential, and for no scope on another one,
 * which is revoked instead.
 */
export async function setCredentialScopes(
  deps: Pick<Deps, "db">,
  keyOrName: string,
  requested: readonly Scope[],
): Promise<ScopedCredential> {
  const scopes = SCOPES.filter((scope) => requested.includes(scope));
  const { uid, name, isStore } = await findActiveCredential(deps.db, keyOrName);
  if (scopes.length === 0 && !isStore) {
    throw invalid("/scopes", "expected at least one scope: revoke the credential instead");
  }
  await deps.db.execute("update credential set scopes = $2 where uid = $1", [uid, scopes]);
  return { name, isStore, scopes };
}
