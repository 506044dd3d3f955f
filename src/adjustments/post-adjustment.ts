import {
  adjustmentExcess,
  type Excess,
  type Limits,
  type MovedBefore,
  movedAlike,
  NOTHING_MOVED,
} from "../allowance/allowance.ts";
import { lockMover, readMoved } from "../allowance/queries.ts";
import { recordMovement } from "../allowance/record-movement.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type LockedBalance, lockLiveBalances } from "../ledger/balance-queries.ts";
import { readExpired } from "../ledger/expiry/read-expired.ts";
import { writeOffBesideHolds } from "../ledger/expiry/write-off-beside-holds.ts";
import { allotmentName } from "../ledger/merge/carried-lots.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import { readCounted } from "../ledger/queue/batch-queries.ts";
import type { CustomerPosting, PostingDeps } from "../ledger/queue/posting-batch.ts";
import { previewPosting } from "../ledger/read/preview-posting.ts";
import { Problem } from "../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import {
  type Adjustment,
  type AdjustmentChange,
  adjustmentPosting,
  isAllExpired,
  missingPoints,
  movedValue,
} from "./adjustment.ts";
import { checkRepeated } from "./check-repeated.ts";

/** The result of an adjustment. */
export type Adjusted =
  | {
      readonly kind: "posted";
      readonly allotmentUid: string;
      readonly pointValue: bigint;
      /** Whether it had already been posted: a second click or a retry. */
      readonly isRepeated: boolean;
      /** For an undo: the points that were already spent. */
      readonly missing: bigint;
    }
  | OverLimit;

/** Nothing was written: with the points that the person had already moved in the same direction, a second person is needed. */
export interface OverLimit {
  readonly kind: "over_limit";
  /** `movedValue`. */
  readonly pointValue: bigint;
  readonly excess: Excess;
  /** For the customer. */
  readonly earlier: bigint;
  /** For all customers. */
  readonly earlierOfDay: bigint;
}

/** How many points may be moved without a further approval: a person's own allowance, or what a second person has approved. */
export type Allowance =
  | { readonly kind: "own"; readonly limits: Limits; readonly staffUid: string }
  /** Signed: at most so many points, in this direction. */
  | { readonly kind: "approved"; readonly points: bigint };

const NOTHING_BEFORE: MovedBefore = { customer: NOTHING_MOVED, day: NOTHING_MOVED };

/**
 * Posts an adjustment once, despite repeated clicks, retries and races: its natural key is unique in the store. Above `allowed` nothing is written.
 * The check adds the change to what its person moved in the same direction within 24 hours. It runs under the locks of the person and the balance, so
 * that no other verb, file or series of smaller changes can bypass it. What is within the allowance is recorded. If the customer is deleted
 * meanwhile, the transaction starts over. Throws `negative_balance` and `balance_limit`, and `idempotency_mismatch` if the key belongs to another
 * adjustment.
 */
export async function postAdjustment(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config" | "secretBox">,
  adjustment: Adjustment,
  allowed: Allowance,
): Promise<Adjusted> {
  const { customer } = adjustment;
  if (allowed.kind === "own") await lockMover(tx, allowed.staffUid);
  const [, locked] = await Promise.all([tx.execute(LOCK_SUBSCRIPTIONS_SHARED), lockLiveBalances(tx, [customer])]);
  const owed = locked[0]?.owedPoints ?? 0n;
  const change = await asOfLock(tx, deps, adjustment.change, locked);
  const posting = adjustmentPosting(deps.random.uid(), { ...adjustment, change });
  const over = await overLimit(tx, deps, { customer, posting, change, owed }, allowed);
  if (over !== null) return over;
  if (isAllExpired(change) && (await readCounted(tx, [posting])).size === 0) throw nothingLeft("all of it has expired");
  const [outcome] = await postAllotments(tx, deps, [{ customer, posting }]);
  if (outcome === undefined) throw new Error("an adjustment has no outcome");
  if (outcome.kind === "refused")
    throw new Problem(outcome.code, { faults: [refusalFault(outcome.code, change.kind)] });
  if (outcome.kind === "nothing") throw nothingLeft("the balance is 0");
  const isRepeated = outcome.kind === "duplicate";
  if (isRepeated) await checkRepeated(tx, adjustment, outcome);
  const { uid: allotmentUid, pointValue } = outcome;
  const moved = movedValue(change, pointValue, owed);
  if (!isRepeated && moved !== 0n && allowed.kind === "own") {
    const [given, taken] = moved > 0n ? [moved, 0n] : [0n, -moved];
    await recordMovement(tx, { staffUid: allowed.staffUid, at: deps.clock.now(), of: customer, given, taken });
  }
  return { kind: "posted", allotmentUid, pointValue, isRepeated, missing: missingPoints(change, pointValue) };
}

async function overLimit(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { customer, posting, change, owed }: CustomerPosting & { readonly change: AdjustmentChange; readonly owed: bigint },
  allowed: Allowance,
): Promise<OverLimit | null> {
  const isOwn = allowed.kind === "own";
  const [preview, before] = await Promise.all([
    previewPosting(tx, deps, customer, posting),
    isOwn ? readMoved(tx, customer, { staffUid: allowed.staffUid, now: deps.clock.now() }) : NOTHING_BEFORE,
  ]);
  if (preview?.kind !== "posted") return null;
  const pointValue = movedValue(change, preview.pointValue, owed);
  const limits = isOwn
    ? allowed.limits
    : { approvalLimit: approvedAlike(allowed.points, pointValue), dailyLimit: null };
  const excess = adjustmentExcess(limits, pointValue, before);
  if (excess === null) return null;
  const [earlier, earlierOfDay] = [movedAlike(before.customer, pointValue), movedAlike(before.day, pointValue)];
  return { kind: "over_limit", pointValue, excess, earlier, earlierOfDay };
}

/** The points that were approved in the direction of `pointValue`. */
function approvedAlike(points: bigint, pointValue: bigint): bigint {
  if (points < 0n !== pointValue < 0n) return 0n;
  return points < 0n ? -points : points;
}

/** Reads again how many of the points to undo have expired, which may have changed before the lock. */
async function asOfLock(
  tx: Tx,
  deps: PostingDeps,
  change: AdjustmentChange,
  locked: readonly LockedBalance[],
): Promise<AdjustmentChange> {
  if (change.kind !== "undo" || change.of.pointValue < 0n) return change;
  await writeOffBesideHolds(tx, deps, locked);
  const { of } = change;
  const expired = await readExpired(tx, [of], deps.clock.now());
  return { ...change, of: { ...of, expired: expired.get(allotmentName(of)) ?? 0n } };
}

function nothingLeft(why: string): Problem {
  return new Problem("negative_balance", { faults: [{ detail: `expected points that could be taken: ${why}` }] });
}

function refusalFault(code: "negative_balance" | "balance_limit", kind: "add" | "set" | "undo") {
  const pointer = kind === "set" ? "/balance" : "/point_value";
  const detail =
    code === "negative_balance"
      ? "expected no more points to be deducted than are available"
      : "expected a balance of at most 9007199254740991 points";
  return { pointer, detail };
}
