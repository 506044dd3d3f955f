import { type BackpressureDeps, runBatches } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { readSales } from "./read-sales.ts";
import { runsOf } from "./run.ts";
import { selectBonusCollections, selectNewVersions, writeRuns } from "./run-queries.ts";
import {
  lockSaleStanding,
  type SaleStanding,
  saleText,
  selectSales,
  selectWalkedOrders,
  takeChanges,
  updateSaleStanding,
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
  const standing = await meetProgram(tx, await lockSaleStanding(tx));
  const taken = await takeChanges(tx, size);
  const walked = standing.walkedTo === null ? [] : await selectWalkedOrders(tx, standing.walkedTo, size);
  await recount(tx, deps, [...new Set([...taken, ...walked])]);
  const walkedTo = walked.length < size ? null : (walked.at(-1) ?? null);
  const isDone = taken.length < size && walkedTo === null;
  await updateSaleStanding(tx, {
    ...standing,
    walkedTo,
    countedAt: isDone ? deps.clock.now() : standing.countedAt,
  });
  return isDone;
}

/** Stores the campaigns and bonuses of new versions of the program. */
async function meetProgram(tx: Tx, standing: SaleStanding): Promise<SaleStanding> {
  const versions = await selectNewVersions(tx, standing.programVersion, VERSIONS);
  if (versions.length === 0) return standing;
  const before = await selectBonusCollections(tx);
  for (const version of versions) await writeRuns(tx, runsOf(await readProgramVersion(tx, version)), version);
  const after = await selectBonusCollections(tx);
  return {
    ...standing,
    programVersion: versions.at(-1) ?? standing.programVersion,
    walkedTo: after.size > before.size ? "" : standing.walkedTo,
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
