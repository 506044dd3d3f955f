import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { monthsUntil } from "../liability/month.ts";
import { START } from "../metrics/rollup.ts";
import { monthIndex } from "../time/store-time.ts";
import {
  type GrowthProgress,
  selectGrowthProgress,
  selectGrowthShares,
  selectShareFacts,
  selectWalkedCustomers,
} from "./growth-queries.ts";
import { growthShareOf, growthShareText } from "./growth-share.ts";
import { selectGrowthDifferences } from "./verify-queries.ts";

const ROWS = 5_000;
const DIFFERENCES_MAX = 1_000;

const PENDING = `select customer_uid as "customerUid"
from growth_change
where customer_uid = any($1::uuid[])`;

/**
 * Compares the customers' stored shares with the customers, and the sums with the shares and the ledger, in one snapshot. Customers who changed
 * since they were counted are left out; while a walk runs, only the sums are compared. Returns whether there is no difference.
 */
export async function verifyGrowth(deps: Pick<Deps, "db" | "clock">, print: (line: string) => void): Promise<boolean> {
  const differences = await deps.db.snapshot(async (tx) => {
    const progress = await selectGrowthProgress(tx);
    if (progress.timeZone === "") return [];
    const months = monthsUntil(monthIndex(deps.clock.now(), progress.timeZone) + 1, progress.timeZone);
    return [...(await customerDifferences(tx, progress)), ...(await selectGrowthDifferences(tx, progress, months))];
  });
  for (const difference of differences.slice(0, DIFFERENCES_MAX)) print(`FAIL figures: ${difference}`);
  print(
    `${differences.length === 0 ? "ok  " : "FAIL"} figures: the sums of customers, tiers and points are the customers'`,
  );
  return differences.length === 0;
}

async function customerDifferences(tx: Tx, { walkBucket, countedAt, timeZone }: GrowthProgress): Promise<string[]> {
  if (walkBucket !== null || countedAt === null) return [];
  const differences: string[] = [];
  let after: CustomerRef = { bucket: -1, customerUid: START.allotmentUid };
  for (;;) {
    const page = await selectWalkedCustomers(tx, after, ROWS);
    const [counted, present, pending] = await Promise.all([
      selectGrowthShares(tx, page),
      selectShareFacts(tx, page),
      tx.query<{ customerUid: string }>(PENDING, [page.map(({ customerUid }) => customerUid)]),
    ]);
    const isPending = new Set(pending.map(({ customerUid }) => customerUid));
    for (const { customerUid } of page) {
      const facts = present.get(customerUid);
      const is = growthShareText(facts === undefined ? null : growthShareOf(facts, timeZone));
      const was = growthShareText(counted.get(customerUid) ?? null);
      if (!isPending.has(customerUid) && is !== was)
        differences.push(`customer ${customerUid} counts for ${is}, counted is ${was}`);
    }
    const last = page.at(-1);
    if (page.length < ROWS || last === undefined || differences.length > DIFFERENCES_MAX) return differences;
    after = last;
  }
}
