import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { decideMove, type EvaluationPlan } from "./evaluation-plan.ts";
import { type EvaluationRow, type Spent, selectRunsSince, selectSpentOf } from "./evaluation-queries.ts";
import { readDueCheck } from "./read-due-check.ts";
import { readEvaluationPlan } from "./read-evaluation-plan.ts";
import { NEVER_PLACED, type StoredTier } from "./tier-queries.ts";
import { keptTierOf } from "./tier-update.ts";

/** A standing that a customer had. */
interface EarlierStanding {
  readonly customer: CustomerRef;
  readonly stored: StoredTier;
}

interface Since {
  readonly since: Temporal.Instant;
  readonly now: Temporal.Instant;
  /** Imports whose money does not count. */
  readonly without: readonly string[];
}

type Run = Omit<EvaluationRow, "uid" | "actor" | "nextBucket">;

/**
 * Returns, by customer, the uids of the tiers that customers would have by the checks and changes of the program since a time if they had had these
 * standings at that time (null: the default tier); also by a check that is late, which leaves alone whom a person places after its time. The balances are
 * locked.
 */
export async function readEarnedSince(
  tx: Tx,
  earlier: readonly EarlierStanding[],
  { since, now, without }: Since,
): Promise<ReadonlyMap<string, string | null>> {
  if (earlier.length === 0) return new Map();
  const customers = earlier.map(({ customer }) => customer);
  let standings = earlier.map(({ stored }) => stored);
  for (const run of await readRuns(tx, since, now)) {
    const plan = await readEvaluationPlan(tx, run);
    const spends = await selectSpentOf(tx, customers, plan, without);
    standings = customers.map((customer, i) =>
      afterRun(run, plan, standings[i] ?? NEVER_PLACED, { ...customer, ...spends.get(customer.customerUid) }),
    );
  }
  return new Map(customers.map(({ customerUid }, i) => [customerUid, standings[i]?.tierUid ?? null]));
}

function afterRun(
  run: Run,
  plan: EvaluationPlan,
  stored: StoredTier,
  spender: CustomerRef & Partial<Spent>,
): StoredTier {
  const kept = keptTierOf(stored);
  const isKept = kept !== null && Temporal.Instant.compare(kept.until, run.at) > 0;
  const move = decideMove(plan, {
    ...{ ...stored, spent: 0n, spentBefore: 0n, ...spender },
    ...{ keptTierUid: isKept ? kept.tierUid : null, isSkipLater: false, isPlacedLater: false },
  });
  return move === null ? stored : { ...stored, tierUid: move.toUid, skipNextCheck: move.skipNextCheck };
}

async function readRuns(tx: Tx, since: Temporal.Instant, now: Temporal.Instant): Promise<readonly Run[]> {
  const [begun, due] = [await selectRunsSince(tx, since), await readDueCheck(tx)];
  if (due === null || Temporal.Instant.compare(due.at, now) > 0) return begun;
  const { at, programVersion } = due;
  return [...begun, { kind: "check", at, programVersion, beforeVersion: programVersion, scope: "all" }];
}
