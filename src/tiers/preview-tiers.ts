import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { ProgramTransition } from "../program/apply-program.ts";
import type { Program } from "../program/program.ts";
import { nextCheckAfter, trailingWindow, windowOf } from "./check-dates.ts";
import { type EvaluationPlan, leastRequirement } from "./evaluation-plan.ts";
import { BUCKETS } from "./evaluation-queries.ts";
import { countCustomers, selectProspects } from "./preview-queries.ts";
import { createPreviewCounter, type TierPreview } from "./tier-preview.ts";

const STEP_BUCKETS = 4;

export interface PreviewTiersOptions {
  /** Whether it would be applied at once. */
  readonly isNow: boolean;
  /** Returns true when enough was read: the result then covers a part of the customers. */
  readonly isOver?: () => boolean;
}

/**
 * Returns which customers a change of the program would move, at once and at the next check (program.md 6); writes nothing. Only customers
 * with spend, an own tier or a check to skip are read, some buckets at a time.
 */
export async function previewTiers(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { before, after }: Pick<ProgramTransition, "before" | "after">,
  { isNow, isOver }: PreviewTiersOptions,
): Promise<TierPreview> {
  const now = deps.clock.now();
  const windowNow = ({ tiers, store }: Program) => trailingWindow(now, tiers.windowMonths, store.timeZone);
  const plan: EvaluationPlan = {
    kind: "program",
    scope: isNow ? "all" : "deleted",
    before: before.tiers,
    after: after.tiers,
    newest: after.tiers,
    window: windowNow(after),
    windowBefore: windowNow(before),
  };
  const windows = [plan.window, plan.windowBefore, windowAtCheck(before, now), windowAtCheck(after, now)] as const;
  const leastSpend = leastRequirement(before.tiers, after.tiers);
  const counter = createPreviewCounter(plan);
  let from = 0;
  for (; from < BUCKETS && (from === 0 || isOver?.() !== true); from += STEP_BUCKETS) {
    const slice = { from, to: from + STEP_BUCKETS, windows, leastSpend, at: now };
    for (const prospect of await selectProspects(tx, slice)) counter.add(prospect);
  }
  const read = { customers: await countCustomers(tx), share: from / BUCKETS };
  return counter.finish(read, nextCheckAfter(now, after.tiers, after.store.timeZone));
}

function windowAtCheck({ tiers, store }: Program, now: Temporal.Instant) {
  return windowOf(nextCheckAfter(now, tiers, store.timeZone), tiers, store.timeZone);
}
