import { adaptiveBatchSize, type BackpressureDeps, pauseWhileBusy } from "../db/backpressure.ts";
import { isDataFault } from "../db/is-data-fault.ts";
import type { Deps } from "../deps.ts";
import { type Candidate, decideMove, type EvaluationPlan, leastRequirement } from "./evaluation-plan.ts";
import {
  advanceEvaluation,
  BUCKETS,
  type EvaluationRow,
  selectCandidates,
  selectNextBucket,
} from "./evaluation-queries.ts";
import { moveCustomers } from "./move-customers.ts";
import { readEvaluationPlan } from "./read-evaluation-plan.ts";

/** With a million customers, a bucket has 4,000: each read stays small, and small stores take few steps. */
const FIRST_BUCKETS = 4;
const STEP_CUSTOMERS = { few: 2_000, many: 20_000 };
const STEP_GROWTH = 4;
/** Customers per transaction: their balances are locked for some hundredths of a second at most. */
const CHUNK_CUSTOMERS = { quiet: 500, busy: 50 };
/** If this many customers of a step fail, the cause is general. */
const FAILED_MAX = 20;

export interface EvaluationOptions {
  /** Ends the work soon after it aborts; the rest is done later. */
  readonly signal?: AbortSignal;
  /** The maximum number of customers moved in one transaction; absent: 500, and fewer while requests are posting. */
  readonly chunkCustomers?: number;
  /** Whether customers whose data fails are only logged; absent: they make the call fail at its end, once all others are done. */
  readonly isLenient?: boolean;
}

export interface EvaluationTally {
  /** The number of changed tiers. */
  readonly moved: number;
  /** The number of customers whose data could not be evaluated or written: they stay where they are, and are named in the log. */
  readonly failed: number;
}

/**
 * Does the rest of a run, one step of buckets after the other, and returns the result of this call. A customer whose own data fails stops
 * nobody else; any other failure ends the call, and the next call does the rest.
 */
export async function runEvaluation(
  deps: BackpressureDeps & Pick<Deps, "db" | "clock" | "random" | "log">,
  run: EvaluationRow,
  options: EvaluationOptions,
): Promise<EvaluationTally> {
  const { signal, chunkCustomers } = options;
  let moved = 0;
  let failed = 0;
  let step = run.nextBucket;
  let buckets = FIRST_BUCKETS;
  while (step < BUCKETS && signal?.aborted !== true) {
    const to = Math.min(step + adaptiveBatchSize(deps, { quiet: buckets, busy: 1 }), BUCKETS);
    const done = await runStep(deps, run, { from: step, to, chunkCustomers });
    moved += done.moved;
    failed += done.failed;
    if (done.candidates < STEP_CUSTOMERS.few) buckets *= STEP_GROWTH;
    else if (done.candidates > STEP_CUSTOMERS.many) buckets = Math.max(1, Math.floor(buckets / STEP_GROWTH));
    const isAdvanced = await advanceEvaluation(deps.db, { uid: run.uid, from: step, to, now: deps.clock.now() });
    step = isAdvanced ? to : await selectNextBucket(deps.db, run.uid);
  }
  return { moved, failed };
}

async function runStep(
  deps: BackpressureDeps & Pick<Deps, "db" | "clock" | "random" | "log">,
  run: EvaluationRow,
  {
    from,
    to,
    chunkCustomers,
  }: { readonly from: number; readonly to: number; readonly chunkCustomers: number | undefined },
): Promise<EvaluationTally & { readonly candidates: number }> {
  const plan = await readEvaluationPlan(deps.db, run);
  const { window, windowBefore } = plan;
  const leastSpend = leastRequirement(plan.before, plan.after, plan.newest);
  const slice = { from, to, window, windowBefore, leastSpend };
  const candidates = await selectCandidates(deps.db, run, slice);
  const movers = candidates.filter((candidate) => decideMove(plan, candidate) !== null);
  const tally = { moved: 0, failed: 0 };
  while (movers.length > 0) {
    const startedMs = performance.now();
    const customers = movers.splice(0, chunkCustomers ?? adaptiveBatchSize(deps, CHUNK_CUSTOMERS));
    await moveChunk(deps, { run, plan }, { step: from, customers }, tally);
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
  return { ...tally, candidates: candidates.length };
}

/** Moves customers together; if that fails because of their data, one by one, skipping those that fail alone too. */
async function moveChunk(
  deps: Pick<Deps, "db" | "clock" | "random" | "log">,
  work: { readonly run: EvaluationRow; readonly plan: EvaluationPlan },
  { step, customers }: { readonly step: number; readonly customers: readonly Candidate[] },
  tally: { moved: number; failed: number },
): Promise<void> {
  try {
    tally.moved += await deps.db.tx((tx) => moveCustomers(tx, deps, work, { step, customers }));
  } catch (error) {
    if (!isDataFault(error) || tally.failed >= FAILED_MAX) throw error;
    const [only] = customers;
    if (only === undefined || customers.length > 1) {
      for (const customer of customers) await moveChunk(deps, work, { step, customers: [customer] }, tally);
      return;
    }
    tally.failed += 1;
    const { run } = work;
    deps.log.error(
      { error, customerUid: only.customerUid, checkAt: run.at.toString() },
      "a customer's tier was not checked",
    );
  }
}
