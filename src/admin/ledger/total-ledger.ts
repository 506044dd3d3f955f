import type { ReadDeps } from "../../deps.ts";
import { NEWEST } from "../list.ts";
import { type Sums, selectLedgerSums, selectLookEnd } from "./queries.ts";
import { readLedgerFilters } from "./read-ledger-filters.ts";
import type { LedgerFilterQuery } from "./schema.ts";
import { sumWalkOf } from "./walk-limits.ts";

/** Count and sums of all that the filters show; null where that would mean to look at more than a bounded number of rows. */
export async function totalLedger(deps: Pick<ReadDeps, "db">, query: LedgerFilterQuery): Promise<Sums | null> {
  const filters = await readLedgerFilters(deps.db, query);
  const walk = sumWalkOf(filters);
  return deps.db.snapshot(async (tx) => {
    const end = await selectLookEnd(tx, filters, NEWEST, { ...walk, look: walk.look + 1 });
    return end === undefined ? selectLedgerSums(tx, filters, walk) : null;
  });
}
