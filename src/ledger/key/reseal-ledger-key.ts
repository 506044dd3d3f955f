import type { Deps } from "../../deps.ts";

/** Encrypts the key of the ledger with the current secret key. Returns 1 if it was encrypted with another one, else 0. */
export async function resealLedgerKey(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  const rows = await deps.db.query<{ uid: string; sealed: Buffer }>(
    "select uid, material_sealed as sealed from ledger_key where material_sealed is not null",
  );
  let count = 0;
  for (const { uid, sealed } of rows) {
    const resealed = deps.secretBox.resealed(sealed);
    if (resealed === null) continue;
    const text = "update ledger_key set material_sealed = $3 where uid = $1 and material_sealed = $2";
    count += await deps.db.execute(text, [uid, sealed, resealed]);
  }
  return count;
}
