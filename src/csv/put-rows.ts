import { upsertCustomers } from "../customers/upsert-customers.ts";
import { patchOfBody } from "../customers/view.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import type { CsvImport } from "./csv-import.ts";
import { faultOf, type StoredFault, storedFault } from "./fault.ts";
import { dropProfiles, selectNextProfiles } from "./profile-queries.ts";
import type { LaneBatch } from "./row-queries.ts";
import { advanceLane, insertFaults, lockLane } from "./step-queries.ts";

/**
 * Creates and changes the customers of the next rows of a lane as a `PUT` of each would (program.md 2), as `postRows` posts points.
 * The rows leave with it. A customer who was deleted since the check is kept as a fault.
 */
export async function putRows(
  tx: Tx,
  deps: PostingDeps,
  { uid }: CsvImport,
  { lane, size }: LaneBatch,
): Promise<boolean> {
  const from = await lockLane(tx, uid, "import", lane);
  if (from === undefined) return false;
  const rows = await selectNextProfiles(tx, { uid, lane, from, limit: size });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const patches = rows.map(({ storefrontId, profile }) => patchOfBody(storefrontId, profile));
  const results = await upsertCustomers(tx, deps, patches);
  const faults = rows.flatMap((row, i): StoredFault[] => {
    const isGone = results[i]?.customer.deletedAt !== null;
    return isGone ? [storedFault(row, faultOf("customer_gone", "id", null))] : [];
  });
  const counts = {
    rows: rows.length,
    good: rows.length - faults.length,
    added: 0n,
    taken: 0n,
    created: results.filter(({ created }) => created).length,
    changed: results.filter(({ created, changed }) => !created && changed.length > 0).length,
  };
  await Promise.all([
    insertFaults(tx, uid, "import", faults),
    dropProfiles(tx, { uid, lane, from, upTo: last }),
    advanceLane(tx, { uid, phase: "import", lane }, last, counts),
  ]);
  return rows.length === size;
}
