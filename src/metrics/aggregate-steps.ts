import { type BackpressureDeps, runBatches } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { advanceSettledMark } from "../ledger/advance-settled-mark.ts";

export type AggregateDeps = BackpressureDeps & Pick<Deps, "db" | "clock">;

export interface AggregateOptions {
  /** Rows a transaction; absent: many, and few while requests are posting. */
  readonly size?: number;
  /** Transactions at most: the rest is the next run's. */
  readonly steps?: number;
}

/** What one transaction goes by. */
export interface AggregateStep {
  readonly settledAt: Temporal.Instant;
  readonly size: number;
  readonly now: Temporal.Instant;
}

/**
 * Takes steps towards the settled mark, each in a transaction of its own that returns whether it is done; makes way for requests in
 * between. Returns whether a step was.
 */
export async function aggregateSteps(
  deps: AggregateDeps,
  limits: { readonly size: number | { readonly quiet: number; readonly busy: number }; readonly steps: number },
  step: (tx: Tx, given: AggregateStep) => Promise<boolean>,
): Promise<boolean> {
  const { settledAt } = await advanceSettledMark(deps);
  if (settledAt === null) return false;
  return runBatches(deps, limits, (size) => {
    const given = { settledAt, size, now: deps.clock.now() };
    return deps.db.tx((tx) => step(tx, given));
  });
}
