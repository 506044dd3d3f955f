import type { Deps } from "../deps.ts";
import { canOpen } from "./secret-box.ts";

/** Revokes the storefront keys whose secret can no longer be decrypted, and returns their names. The store has to create others. */
export async function resetStorefrontKeys(
  deps: Pick<Deps, "db" | "clock" | "secretBox">,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<readonly string[]> {
  const rows = await deps.db.query<{ uid: string; name: string; sealed: Buffer }>(
    "select uid, name, secret_sealed as sealed from storefront_key where revoked_at is null order by name",
  );
  const lost = rows.filter(({ sealed }) => !canOpen(deps.secretBox, sealed));
  if (!isDryRun && lost.length > 0) {
    await deps.db.execute(
      "update storefront_key set revoked_at = $2, secret_sealed = null where uid = any($1::uuid[])",
      [lost.map(({ uid }) => uid), deps.clock.now()],
    );
  }
  return lost.map(({ name }) => name);
}
