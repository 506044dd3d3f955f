import type { Tx } from "../../db/pool.ts";
import { invalid, Problem } from "../../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { lockUnmergedBalances } from "../balance-queries.ts";
import { changeBalances } from "../change-balances.ts";
import { writeOffBalances } from "../expiry/write-off-balances.ts";
import { type Outcome, type Posting, plainPosting } from "../posting.ts";
import { readBatchContext } from "../queue/batch-queries.ts";
import type { PostingDeps } from "../queue/posting-batch.ts";
import { captureKey, endRefusal, type Hold } from "./hold.ts";
import { selectHold } from "./hold-queries.ts";

/** How a hold ends: part of it is captured and the rest released, or all of it is released (`capture` is null). */
export interface EndHoldInput {
  readonly uid: string;
  /** `points` null: all points of the hold. */
  readonly capture: { readonly points: bigint | null; readonly appReference: string } | null;
  /** A posting that takes the released points in the same transaction, from the customer who has them now. */
  readonly spend?: Posting;
}

/** An ended hold, and the version of the allotment that `spend` produced. */
export interface EndedHold extends Hold {
  readonly spentVersion: bigint | null;
}

/**
 * Ends a hold (program.md 3). Captured points become a deduction of type `api` with the key `hold/<reservation>/1`, which takes the points that
 * burn first, due or not. The rest is available again in the same transaction or, for a deleted customer, written off. Throws
 * `reservation_not_found`, `reservation_captured`, `reservation_released` (also if the hold is past its end), `invalid` for more points than it
 * holds, and `negative_balance` if `spend` takes more than is available.
 */
export async function endHold(
  tx: Tx,
  deps: PostingDeps,
  { capture, spend, ...named }: EndHoldInput,
): Promise<EndedHold> {
  const found = await selectHold(tx, named.uid);
  if (found === undefined) throw new Problem("reservation_not_found");
  const { uid } = found; // in lower case, however the caller wrote it: natural keys contain it as text
  const now = deps.clock.now();
  refuseEnded(found, now); // for good, and where its customer was merged since, there it stays
  const [, [before], context, hold] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockUnmergedBalances(tx, [found.customer]),
    readBatchContext(tx),
    selectHold(tx, uid),
  ]);
  if (before === undefined || hold === undefined) throw new Error(`reservation ${uid} has no balance`);
  refuseEnded(hold, now);
  const captured = capture === null ? 0n : (capture.points ?? hold.points);
  if (captured > hold.points) throw invalid("/point_value", `expected at most ${hold.points}: more is not held`);
  const taken = capture === null ? [] : [deduction(deps, hold, captured, capture.appReference)];
  const spending = spend === undefined ? [] : [spend];
  const holdEnds = [{ uid, points: hold.points, captured, at: now }];
  const [change] = await changeBalances(tx, deps, [{ before, postings: [...taken, ...spending], holdEnds }], context);
  const versions = (change?.outcomes ?? []).map(versionOf);
  // a separate step: the rest of the hold is free only after the captured points were taken
  if (before.isDeleted) await writeOffBalances(tx, deps, [hold.customer], { appReference: "pointkeeper", after: uid });
  const state = capture === null ? "released" : "captured";
  return { ...hold, state, captured, spentVersion: versions[taken.length] ?? null };
}

function versionOf(outcome: Outcome): bigint {
  if (outcome.kind === "refused") throw new Problem(outcome.code);
  if (outcome.kind !== "posted") throw new Error(`the points of a reservation could not be taken: ${outcome.kind}`);
  return outcome.version;
}

function refuseEnded(hold: Hold, now: Temporal.Instant): void {
  const refusal = endRefusal(hold, now);
  if (refusal !== null) throw new Problem(refusal);
}

function deduction(deps: PostingDeps, { uid }: Hold, points: bigint, appReference: string): Posting {
  const change = { kind: "add", pointValue: -points, shortfall: "refuse" } as const;
  return {
    ...plainPosting(deps.random.uid(), "api", appReference, change),
    sourceKey: captureKey(uid),
    object: `reservation-${uid}`,
  };
}
