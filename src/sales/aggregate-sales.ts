import { type BackpressureDeps, runBatches } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { readSales } from "./read-sales.ts";
import { runsOf } from "./run.ts";
import { selectBonusCollections, selectNewVersions, writeRuns } from "./run-queries.ts";
import {
  dequeueOrders,
  lockSalesProgress,
  type SalesProgress,
  saleText,
  selectSales,
  selectWalkedOrders,
  updateSalesProgress,
  writeSales,
} from "./sale-queries.ts";
import { saleSumsBetween } from "./sale-sums.ts";
import { addToSaleSums } from "./sum-queries.ts";

export type SalesDeps = BackpressureDeps & Pick<Deps, "db" | "clock" | "log">;

/** Changed orders per transaction; while a walk through all orders runs, the same number of walked ones in addition. */
const SIZE = { quiet: 1_000, busy: 100 };
const STEPS = 50;
const VERSIONS = 50;

/**
 * Counts the orders that were written since the last run, each by the difference between what it counts as now and before. A walk counts all
 * orders at first, and when a collection gets its first bonus. The queue of changes, the sales, the sums and the progress change in one
 * transaction under a lock, so any number of nodes may run this and be killed. Returns whether nothing is left.
 */
export async function aggregateSales(
  deps: SalesDeps,
  options: { readonly size?: number; readonly steps?: number } = {},
): Promise<boolean> {
  const { size = SIZE, steps = STEPS } = options;
  return runBatches(deps, { size, steps }, (rows) => deps.db.tx((tx) => aggregateStep(tx, deps, rows)));
}

async function aggregateStep(tx: Tx, deps: SalesDeps, size: number): Promise<boolean> {
  const progress = await meetProgram(tx, await lockSalesProgress(tx));
  const taken = await dequeueOrders(tx, size);
  const walked = progress.walkedTo === null ? [] : await selectWalkedOrders(tx, progress.walkedTo, size);
  await recount(tx, deps, [...new Set([...taken, ...walked])]);
  const walkedTo = walked.length < size ? null : (walked.at(-1) ?? null);
  const isDone = taken.length < size && walkedTo === null;
  await updateSalesProgress(tx, {
    ...progress,
    walkedTo,
    countedAt: isDone ? deps.clock.now() : progress.countedAt,
  });
  return isDone;
}

/** Stores the campaigns and bonuses of new versions of the program. */
async function meetProgram(tx: Tx, progress: SalesProgress): Promise<SalesProgress> {
  const versions = await selectNewVersions(tx, progress.programVersion, VERSIONS);
  if (versions.length === 0) return progress;
  const before = await selectBonusCollections(tx);
  for (const version of versions) await writeRuns(tx, runsOf(await readProgramVersion(tx, version)), version);
  const after = await selectBonusCollections(tx);
  return {
    ...progress,
    programVersion: versions.at(-1) ?? progress.programVersion,
    walkedTo: after.size > before.size ? "" : progress.walkedTo,
  };
}

async function recount(tx: Tx, deps: SalesDeps, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return;
  const tracked = await selectBonusCollections(tx);
  const [counted, present] = await Promise.all([selectSales(tx, orderIds), readSales(tx, deps, orderIds, tracked)]);
  const changes = orderIds.flatMap((orderId) => {
    const before = counted.get(orderId) ?? null;
    const after = present.get(orderId) ?? null;
    return saleText(before) === saleText(after) ? [] : [{ orderId, before, after }];
  });
  if (changes.length === 0) return;
  await writeSales(
    tx,
    changes.flatMap(({ after }) => (after === null ? [] : [after])),
    changes.flatMap(({ orderId, after }) => (after === null ? [orderId] : [])),
  );
  await addToSaleSums(tx, saleSumsBetween(changes));
}
