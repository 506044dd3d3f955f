import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";

/**
 * Revokes the credential of a key or name: every node refuses it within two seconds (program.md 2). 422 where there is none, and
 * for the store's own, which is rotated instead.
 */
export async function revokeCredential(deps: Pick<Deps, "db" | "clock">, keyOrName: string): Promise<void> {
  const [found] = await deps.db.query<{ uid: string; isStore: boolean }>(
    `select uid, is_store as "isStore"
     from credential
     where (key = $1 or name = $1) and revoked_at is null
     order by key = $1 desc
     limit 1`,
    [keyOrName],
  );
  if (found === undefined) throw invalid("", `no credential has the key or name "${keyOrName}"`);
  if (found.isStore) throw invalid("", "the store's own credential cannot be revoked: rotate its secret instead");
  await deps.db.execute("update credential set revoked_at = $2 where uid = $1", [found.uid, deps.clock.now()]);
}
