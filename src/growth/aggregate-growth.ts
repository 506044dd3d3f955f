import { type BackpressureDeps, runBatches } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { beginGrowth } from "./begin-growth.ts";
import { recountBenefits } from "./benefit-queries.ts";
import {
  addToGrowthSums,
  dequeueCustomers,
  selectGrowthShares,
  selectShareFacts,
  selectWalkedCustomers,
  updateGrowthProgress,
  writeGrowthShares,
} from "./growth-queries.ts";
import { growthBetween, growthShareOf, growthShareText, movedBetween } from "./growth-share.ts";
import { writeMoved } from "./moved-queries.ts";

/** Changed customers per transaction; while a walk through all customers runs, the same number of walked ones in addition. */
const SIZE = { quiet: 2_000, busy: 200 };
const STEPS = 50;

/**
 * Counts the customers who changed since the last run, each by the difference between what they count as now and before. A walk counts all
 * customers at first, and when the store's time zone changes. The queue of changes, the shares, the sums and the progress change in one
 * transaction under a lock, so any number of nodes may run this and be killed. Returns whether nothing is left.
 */
export async function aggregateGrowth(
  deps: BackpressureDeps & Pick<Deps, "db" | "clock">,
  options: { readonly size?: number; readonly steps?: number } = {},
): Promise<boolean> {
  const { size = SIZE, steps = STEPS } = options;
  return runBatches(deps, { size, steps }, (rows) => deps.db.tx((tx) => aggregateStep(tx, deps, rows)));
}

async function aggregateStep(tx: Tx, { clock }: Pick<Deps, "clock">, size: number): Promise<boolean> {
  const progress = await beginGrowth(tx);
  const { walkBucket, walkUid, timeZone } = progress;
  const taken = await dequeueCustomers(tx, size);
  const walked =
    walkBucket === null || walkUid === null
      ? []
      : await selectWalkedCustomers(tx, { bucket: walkBucket, customerUid: walkUid }, size);
  const customers = new Map([...taken, ...walked].map((customer) => [customer.customerUid, customer]));
  await recount(tx, [...customers.values()], timeZone);
  await recountBenefits(tx, [...customers.values()]);
  const last = walked.length < size ? undefined : walked.at(-1);
  const isDone = taken.length < size && last === undefined;
  await updateGrowthProgress(tx, {
    ...progress,
    walkBucket: last?.bucket ?? null,
    walkUid: last?.customerUid ?? null,
    countedAt: isDone ? clock.now() : progress.countedAt,
  });
  return isDone;
}

async function recount(tx: Tx, customers: readonly CustomerRef[], timeZone: string): Promise<void> {
  if (customers.length === 0) return;
  const [counted, present] = await Promise.all([selectGrowthShares(tx, customers), selectShareFacts(tx, customers)]);
  const changes = customers.flatMap((customer) => {
    const facts = present.get(customer.customerUid);
    const before = counted.get(customer.customerUid) ?? null;
    const after = facts === undefined ? null : growthShareOf(facts, timeZone);
    return growthShareText(before) === growthShareText(after) ? [] : [{ customer, before, after }];
  });
  if (changes.length === 0) return;
  await writeGrowthShares(
    tx,
    changes.flatMap(({ customer, after }) => (after === null ? [] : [{ customer, after }])),
    changes.flatMap(({ customer, after }) => (after === null ? [customer] : [])),
  );
  await writeMoved(tx, movedBetween(changes));
  await addToGrowthSums(tx, growthBetween(changes));
}
