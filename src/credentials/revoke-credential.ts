import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { findActiveCredential } from "./credential-queries.ts";

/**
 * Revokes the credential with a key or name: every node refuses it within two seconds (program.md 2). 422 if there is none, and for the store's own,
 * which is rotated instead.
 */
export async function revokeCredential(deps: Pick<Deps, "db" | "clock">, keyOrName: string): Promise<void> {
  const { uid, isStore } = await findActiveCredential(deps.db, keyOrName);
  if (isStore) throw invalid("", "the store's own credential cannot be revoked: rotate its secret instead");
  await deps.db.execute("update credential set revoked_at = $2 where uid = $1", [uid, deps.clock.now()]);
}
