import type { BackpressureDeps } from "../db/backpressure.ts";
import type { Deps } from "../deps.ts";
import { type EvaluationRow, hasOrdersToReview, insertEvaluation, selectOldestOpen } from "./evaluation-queries.ts";
import { readDueCheck } from "./read-due-check.ts";
import { type EvaluationOptions, runEvaluation } from "./run-evaluation.ts";

/**
 * Makes every check that is due, each over its own window and by the rules valid at its time, and finishes the moves that changes of the
 * program requested, oldest first (program.md 6). A check waits for orders that count in its window and are still to be re-evaluated: it
 * stays due. Works in short transactions: it may be killed at any point, run again, and run on several nodes at once; each run moves a
 * customer once. Returns how many tiers changed; throws at the end if the data of some customers failed, who are named in the log and stay
 * where they are.
 */
export async function evaluateTiers(
  deps: BackpressureDeps & Pick<Deps, "db" | "clock" | "random" | "log">,
  options: EvaluationOptions = {},
): Promise<number> {
  let moved = 0;
  let failed = 0;
  while (options.signal?.aborted !== true) {
    const run = await nextRun(deps);
    if (run === undefined) break;
    const done = await runEvaluation(deps, run, options);
    moved += done.moved;
    failed += done.failed;
  }
  if (failed > 0 && options.isLenient !== true)
    throw new Error(`the tiers of ${failed} customers were not checked: see the log`);
  return moved;
}

async function nextRun(deps: Pick<Deps, "db" | "clock" | "random">): Promise<EvaluationRow | undefined> {
  const { compare } = Temporal.Instant;
  const [check, open] = await Promise.all([readDueCheck(deps.db), selectOldestOpen(deps.db)]);
  const isDue = check !== null && compare(check.at, deps.clock.now()) <= 0;
  if (!isDue || (open !== undefined && compare(open.at, check.at) <= 0)) return open;
  if (await hasOrdersToReview(deps.db, { before: check.at, now: deps.clock.now() })) return open;
  const { at, programVersion } = check;
  const versions = { programVersion, beforeVersion: programVersion };
  await insertEvaluation(deps.db, {
    uid: deps.random.uid(),
    kind: "check",
    at,
    ...versions,
    scope: "all",
    actor: null,
  });
  return selectOldestOpen(deps.db);
}
