import type { Db } from "../../src/db/pool.ts";
import type { LedgerKey } from "../../src/ledger/ledger-key.ts";
import { type AllotmentPass, passAllotments, type TakeLeaf } from "../../src/ledger/pass-allotments.ts";

/** What a pass over all allotments finds while rows are changed by a statement, which is undone. */
export async function passWith(
  owner: Db,
  planted: { readonly statements: readonly string[]; readonly customerUid: string } | null,
  options: { readonly key: LedgerKey | null; readonly takeLeaf?: TakeLeaf },
): Promise<AllotmentPass> {
  const client = await owner.connect();
  try {
    await client.query("begin isolation level repeatable read");
    for (const statement of planted?.statements ?? []) await client.query(statement, [planted?.customerUid]);
    return await passAllotments(client, options);
  } finally {
    await client.query("rollback");
    await client.end();
  }
}
