import type { Deps } from "../deps.ts";

/** Encrypts the secrets of storefront keys with the current secret key. Returns how many were sealed by another one. */
export async function resealStorefrontKeys(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  return deps.db.tx(async (tx) => {
    const rows = await tx.query<{ uid: string; sealed: Buffer }>(
      "select uid, secret_sealed as sealed from storefront_key where revoked_at is null for update",
    );
    let count = 0;
    for (const { uid, sealed } of rows) {
      const resealed = deps.secretBox.resealed(sealed);
      if (resealed !== null)
        count += await tx.execute("update storefront_key set secret_sealed = $2 where uid = $1", [uid, resealed]);
    }
    return count;
  });
}
