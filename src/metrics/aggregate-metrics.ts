import type { Tx } from "../db/pool.ts";
import { readProgram } from "../program/read-program.ts";
import { type AggregateDeps, type AggregateOptions, type AggregateStep, aggregateSteps } from "./aggregate-steps.ts";
import { selectRange } from "./range-queries.ts";
import { endOfInstant, planRollups, type Rollup } from "./rollup.ts";
import {
  aggregateRange,
  applyRollupPlan,
  lockRollups,
  moveBookmark,
  selectRollups,
  showRollup,
} from "./rollup-queries.ts";
import { storeDays } from "./store-days.ts";

const SIZE = { quiet: 50_000, busy: 500 };
const STEPS = 20;

/**
 * Adds the allotments since the last run to the store's sums by day, up to the settled mark; returns whether the mark was reached. The sums
 * and the bookmark change in one transaction that locks the rollups, so each allotment counts once, whatever the number of nodes and
 * even if one is killed. When the store's time zone changes, new sums are built while the old ones are still shown.
 */
export function aggregateMetrics(deps: AggregateDeps, options: AggregateOptions = {}): Promise<boolean> {
  return aggregateSteps(deps, { size: SIZE, steps: STEPS, ...options }, aggregateStep);
}

/** Advances each rollup by one step; returns whether all have reached the mark and the shown one has the store's time zone. */
async function aggregateStep(tx: Tx, { settledAt, size }: AggregateStep): Promise<boolean> {
  const locked = await lockRollups(tx);
  const { store } = await readProgram(tx);
  const plan = planRollups(locked, store.timeZone);
  await applyRollupPlan(tx, plan);
  const rollups = plan.drop === null && plan.open === null ? locked : await selectRollups(tx);
  const shown = rollups.find(({ isShown }) => isShown);
  let isDone = true;
  for (const rollup of rollups) {
    if (rollup.timeZone === "") continue;
    const isAtMark = await aggregateRollup(tx, rollup, settledAt, size);
    if (isAtMark && !rollup.isShown && shown !== undefined) await showRollup(tx, rollup.generation, shown.generation);
    isDone &&= isAtMark;
  }
  return isDone;
}

async function aggregateRollup(tx: Tx, rollup: Rollup, settledAt: Temporal.Instant, size: number): Promise<boolean> {
  const range = await selectRange(tx, rollup, { settledAt, size });
  if (range === null) {
    await moveBookmark(tx, rollup.generation, endOfInstant(settledAt));
    return true;
  }
  await aggregateRange(tx, rollup.generation, range, storeDays(range.firstAt, range.to.allottedAt, rollup.timeZone));
  await moveBookmark(tx, rollup.generation, range.to);
  return range.isLast;
}
