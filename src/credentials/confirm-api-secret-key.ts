import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { LOCK_STORE_CREDENTIAL } from "./api-secret-key-queries.ts";

/** Ends a rotation (program.md 7): deliveries are signed with the next API secret key, and the old one no longer works. 422 if none was begun. */
export async function confirmApiSecretKey(deps: Pick<Deps, "db">): Promise<void> {
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_STORE_CREDENTIAL);
    const [next] = await tx.query<{ hash: Buffer }>(
      "select secret_sha256 as hash from api_secret_key where state = 'next'",
    );
    if (next === undefined) throw invalid("", "no rotation of the API secret key was begun");
    await tx.execute("delete from api_secret_key where state = 'current'");
    await tx.execute("update api_secret_key set state = 'current' where state = 'next'");
    await tx.execute("update credential set secret_sha256 = $1 where is_store", [next.hash]);
  });
}
