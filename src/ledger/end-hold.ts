import type { Tx } from "../db/pool.ts";
import { invalid, Problem } from "../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-subscriptions.ts";
import { changeBalances } from "./change-balances.ts";
import { captureKey, endRefusal, type Hold } from "./hold.ts";
import { selectHold } from "./hold-queries.ts";
import { lockLiveBalances } from "./lock-live-balances.ts";
import { type Posting, plainPosting } from "./posting.ts";
import type { PostingDeps } from "./posting-batch.ts";
import { readBatchContext } from "./read-batch-context.ts";

/** How a hold is to end: some of it captured and the rest released, or all of it released (null). */
export interface WantedEnd {
  readonly uid: string;
  /** `points` null: all of them. */
  readonly capture: { readonly points: bigint | null; readonly appReference: string } | null;
}

/**
 * Ends a hold: what is captured becomes a deduction of type `api` under the key `hold/<reservation>/1`, which takes what burns first, due
 * or not; the rest is available again in the same transaction (program.md 3). Throws `reservation_not_found`,
 * `reservation_captured`, `reservation_released` (also where it is past its end), `invalid` for more points than it holds.
 */
export async function endHold(tx: Tx, deps: PostingDeps, { uid, capture }: WantedEnd): Promise<Hold> {
  const found = await selectHold(tx, uid);
  if (found === undefined) throw new Problem("reservation_not_found");
  const [, [before], context, hold] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockLiveBalances(tx, [found.customer]),
    readBatchContext(tx),
    selectHold(tx, uid),
  ]);
  if (before === undefined || hold === undefined) throw new Error(`reservation ${uid} has no balance`);
  const now = deps.clock.now();
  const refusal = endRefusal(hold, now);
  if (refusal !== null) throw new Problem(refusal);
  const captured = capture === null ? 0n : (capture.points ?? hold.points);
  if (captured > hold.points) throw invalid("/point_value", `expected at most ${hold.points}: more is not held`);
  const postings = capture === null ? [] : [deduction(deps, hold, captured, capture.appReference)];
  const holdEnds = [{ uid, points: hold.points, captured, at: now }];
  const [change] = await changeBalances(tx, deps, [{ before, postings, holdEnds }], context);
  const isTaken = change?.outcomes.every(({ kind }) => kind === "posted");
  if (isTaken !== true) throw new Error(`the points of reservation ${uid} could not be taken`);
  return { ...hold, state: capture === null ? "released" : "captured", captured };
}

function deduction(deps: PostingDeps, { uid }: Hold, points: bigint, appReference: string): Posting {
  const change = { kind: "add", pointValue: -points, shortfall: "refuse" } as const;
  return {
    ...plainPosting(deps.random.uid(), "api", appReference, change),
    sourceKey: captureKey(uid),
    object: `reservation-${uid}`,
  };
}
