import { type BackpressureDeps, runBatches } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { advanceSettledMark } from "../ledger/settled-mark/advance-settled-mark.ts";

export type AggregateDeps = BackpressureDeps & Pick<Deps, "db" | "clock">;

export interface AggregateOptions {
  /** Rows per transaction; absent: a large number, and a small one while requests are posting. */
  readonly size?: number;
  /** The most transactions of this run; the next run continues. */
  readonly steps?: number;
}

/** The inputs of one transaction. */
export interface AggregateStep {
  readonly settledAt: Temporal.Instant;
  readonly size: number;
  readonly now: Temporal.Instant;
}

/** The limits of a run; `isByKeys`: its statements find all rows by keys (`Db.txByKeys`). */
interface AggregateLimits {
  readonly size: number | { readonly quiet: number; readonly busy: number };
  readonly steps: number;
  readonly isByKeys?: boolean;
}

/**
 * Runs steps towards the settled mark, each in its own transaction, and pauses between them while requests are busy. A step returns
 * whether nothing is left to do. Returns whether nothing is left.
 */
export async function aggregateSteps(
  deps: AggregateDeps,
  limits: AggregateLimits,
  step: (tx: Tx, given: AggregateStep) => Promise<boolean>,
): Promise<boolean> {
  const { settledAt } = await advanceSettledMark(deps);
  if (settledAt === null) return false;
  return runBatches(deps, limits, (size) => {
    const given = { settledAt, size, now: deps.clock.now() };
    const work = (tx: Tx) => step(tx, given);
    return limits.isByKeys === true ? deps.db.txByKeys(work) : deps.db.tx(work);
  });
}
