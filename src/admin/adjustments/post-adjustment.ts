import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/lock-live-balances.ts";
import { postAllotments } from "../../ledger/post-allotments.ts";
import { previewPosting } from "../../ledger/preview-posting.ts";
import { Problem } from "../../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-subscriptions.ts";
import { type Adjustment, adjustmentPosting, missingPoints, needsApproval } from "./adjustment.ts";

/** What an adjustment came to. */
export type Adjusted =
  | {
      readonly kind: "posted";
      readonly allotmentUid: string;
      readonly pointValue: bigint;
      /** Whether it had been posted before: a second click, a retry. */
      readonly isRepeated: boolean;
      /** Of an undo: what was spent already. */
      readonly missing: bigint;
    }
  /** Nothing was written: so many points need a second person. */
  | { readonly kind: "over_limit"; readonly pointValue: bigint };

/**
 * Posts an adjustment, once whatever the clicks, retries and races: its natural key counts once in the store. Above `limit` (null:
 * none) nothing is written; what counts is the difference it would make, under the balance's lock, so that no way around
 * leads through another verb. Throws `negative_balance` and `balance_limit`, and `idempotency_mismatch` where the key stands for
 * another adjustment.
 */
export async function postAdjustment(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  adjustment: Adjustment,
  limit: bigint | null,
): Promise<Adjusted> {
  const { customer, change } = adjustment;
  const posting = adjustmentPosting(deps.random.uid(), adjustment);
  await Promise.all([tx.execute(LOCK_SUBSCRIPTIONS_SHARED), lockLiveBalances(tx, [customer])]);
  if (limit !== null) {
    const preview = await previewPosting(tx, deps, customer, posting);
    if (preview?.kind === "posted" && needsApproval(limit, preview.pointValue))
      return { kind: "over_limit", pointValue: preview.pointValue };
  }
  const [outcome] = await postAllotments(tx, deps, [{ customer, posting }]);
  if (outcome === undefined) throw new Error("an adjustment has no outcome");
  if (outcome.kind === "refused")
    throw new Problem(outcome.code, { faults: [refusalFault(outcome.code, change.kind)] });
  if (outcome.kind === "nothing")
    throw new Problem("negative_balance", {
      faults: [{ detail: "expected points that could be taken: the balance is 0" }],
    });
  const isRepeated = outcome.kind === "duplicate";
  if (isRepeated && change.kind === "add" && outcome.pointValue !== change.pointValue)
    throw new Problem("idempotency_mismatch");
  const { uid: allotmentUid, pointValue } = outcome;
  return { kind: "posted", allotmentUid, pointValue, isRepeated, missing: missingPoints(change, pointValue) };
}

function refusalFault(code: "negative_balance" | "balance_limit", kind: "add" | "set" | "undo") {
  const pointer = kind === "set" ? "/balance" : "/point_value";
  const detail =
    code === "negative_balance"
      ? "expected no more points to be deducted than are available"
      : "expected a balance of at most 9007199254740991 points";
  return { pointer, detail };
}
