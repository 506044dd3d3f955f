import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readSales } from "./read-sales.ts";
import { selectBonusCollections } from "./run-queries.ts";
import { type SalesProgress, saleText, selectSales, selectSalesProgress, selectWalkedOrders } from "./sale-queries.ts";
import { selectSumDifferences } from "./verify-queries.ts";

const ROWS = 2_000;
const DIFFERENCES_MAX = 1_000;

const PENDING = `select order_id as "orderId"
from sale_change
where order_id = any($1)`;

/**
 * Compares the stored sales with the orders, and the sums with the stored sales, in one snapshot. Orders that were written since they were
 * counted are left out; while a walk runs, only the sums are compared. Returns whether there is no difference.
 */
export async function verifySales(deps: Pick<Deps, "db" | "log">, print: (line: string) => void): Promise<boolean> {
  const differences = await deps.db.snapshot(async (tx) => {
    const progress = await selectSalesProgress(tx);
    return [...(await orderDifferences(tx, deps, progress)), ...(await selectSumDifferences(tx))];
  });
  for (const difference of differences.slice(0, DIFFERENCES_MAX)) print(`FAIL figures: ${difference}`);
  print(
    `${differences.length === 0 ? "ok  " : "FAIL"} figures: the results of campaigns, bonuses and customers are the orders'`,
  );
  return differences.length === 0;
}

async function orderDifferences(
  tx: Tx,
  deps: Pick<Deps, "log">,
  { walkedTo, countedAt }: SalesProgress,
): Promise<string[]> {
  if (walkedTo !== null || countedAt === null) return [];
  const differences: string[] = [];
  const tracked = await selectBonusCollections(tx);
  let after = "";
  for (;;) {
    const ids = await selectWalkedOrders(tx, after, ROWS);
    const [counted, present, pending] = await Promise.all([
      selectSales(tx, ids),
      readSales(tx, deps, ids, tracked),
      tx.query<{ orderId: string }>(PENDING, [ids]),
    ]);
    const isPending = new Set(pending.map(({ orderId }) => orderId));
    for (const id of ids) {
      const [was, is] = [counted, present].map((sales) => saleText(sales.get(id) ?? null));
      if (!isPending.has(id) && was !== is) differences.push(`order ${id} counts for ${is}, counted is ${was}`);
    }
    const last = ids.at(-1);
    if (ids.length < ROWS || last === undefined || differences.length > DIFFERENCES_MAX) return differences;
    after = last;
  }
}
