import type { Tx } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { readHolders, readMergedInto } from "../../ledger/merge/merge-queries.ts";
import { deleteStatements, deleteStatementsOf, selectStatements } from "./tag-queries.ts";

/**
 * Deletes what was stated about the tags of deleted or merged customers, and what merges have copied of it to others of the same person
 * (`keepTagHistory`): an erasure of one of its ids names only that one.
 */
export async function eraseTags(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  const stated = [...(await selectStatements(tx, customers)).values()].flat();
  const holders = [...(await readHolders(tx, customers)).values()];
  const others = stated.length === 0 || holders.length === 0 ? [] : await readMergedInto(tx, holders);
  const copies = others.flatMap((customer) => stated.map((statement) => ({ customer, statement })));
  await deleteStatements(tx, copies);
  await deleteStatementsOf(tx, customers);
}
