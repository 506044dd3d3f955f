import type { Deps } from "../deps.ts";
import { lockSalesProgress } from "./sale-queries.ts";

const FORGET = [
  "truncate sale, sale_slot, sale_collection, sale_run, sale_result, sale_reach, sale_buyer",
  "update sale_standing set walked_to = '', program_version = 0, counted_at = null",
];

/** Deletes what was counted of orders; the workers count all of them again, and the results start from zero. */
export async function rebuildSales(deps: Pick<Deps, "db">): Promise<void> {
  await deps.db.tx(async (tx) => {
    await lockSalesProgress(tx);
    for (const text of FORGET) await tx.execute(text);
  });
}
