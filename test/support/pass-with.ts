import { createFactsHasher, type TileHasher } from "../../src/checkpoints/create-facts-hasher.ts";
import type { Db } from "../../src/db/pool.ts";
import type { LedgerKey } from "../../src/ledger/key/ledger-key.ts";
import { type AllotmentPass, passAllotments } from "../../src/ledger/verify/pass-allotments.ts";

/** Returns what a pass over all allotments finds while rows are changed by a statement, which is then undone. */
export async function passWith(
  owner: Db,
  planted: { readonly statements: readonly string[]; readonly customerUid: string } | null,
  { key, hasher = createFactsHasher() }: { readonly key: LedgerKey | null; readonly hasher?: TileHasher },
): Promise<AllotmentPass> {
  const client = await owner.connect();
  try {
    await client.query("begin isolation level repeatable read");
    for (const statement of planted?.statements ?? []) await client.query(statement, [planted?.customerUid]);
    return await passAllotments(client, { key, hasher });
  } finally {
    await client.query("rollback");
    await Promise.all([client.end(), hasher.close()]);
  }
}
