import type { Tx } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import type { LockedBalance } from "../balance-queries.ts";
import { changeBalances } from "../change-balances.ts";
import { laterOf, soonerOf } from "../compare-instants.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { expiryDay } from "../expiry/expiry.ts";
import { writeOffBalances } from "../expiry/write-off-balances.ts";
import { readDraws } from "../lots/lot-queries.ts";
import type { Draw } from "../lots/lots.ts";
import { type Posting, plainPosting } from "../posting.ts";
import { readBatchContext } from "../queue/batch-queries.ts";
import type { BatchContext, PostingDeps } from "../queue/posting-batch.ts";
import { carriedKey } from "./carried-lots.ts";
import { moveHolds, readWriteOffs } from "./merge-queries.ts";

const JOIN = `update balance
set active_at = $3::timestamptz,
  earned_at = $4,
  owed_points = $5,
  held_points = $6,
  held_until = coalesce($7::timestamptz, 'infinity'),
  expiry_from_on = ${expiryDay("$3::timestamptz", "oldest_since")}
where bucket = $1
  and customer_uid = $2`;

// Customers who were merged into the removed one earlier now lead directly to the surviving one.
const MERGE_AWAY = `update balance
set merged_into = $1
where merged_into = $2
  or (bucket = $3 and customer_uid = $2)`;

export interface MergeOptions {
  readonly appReference: string;
  /** The removed customer was deleted: points written off since are returned, because the platform sent a deletion before the merge. */
  readonly isRemovedDeleted: boolean;
  /** The surviving customer was deleted: the points are written off. */
  readonly isKeptDeleted: boolean;
}

/**
 * Moves the points of a balance to the balance that its customer is merged into (program.md 3): one closing allotment there, and one here for
 * each open lot. Holds and debts move too. Both balances are locked, and none of their holds is over. Returns whether points were moved, which
 * decides about `point_balance/update`. Throws `balance_limit` if one balance cannot hold both.
 */
export async function mergeBalances(
  tx: Tx,
  deps: PostingDeps,
  merging: MergingBalances,
  { appReference, isRemovedDeleted, isKeptDeleted }: MergeOptions,
): Promise<boolean> {
  const { removed, kept } = merging;
  const context = await readBatchContext(tx);
  await moveHolds(tx, { removed, kept, at: deps.clock.now() });
  const posting = closingPosting(deps.random.uid(), merging, appReference);
  const stripped = { ...removed, owedPoints: 0n };
  const [closing] = await changeBalances(tx, deps, [{ before: stripped, postings: [posting] }], context);
  const closed = closing?.outcomes[0];
  const writtenOff = isRemovedDeleted ? await readWriteOffs(tx, removed) : [];
  const versions = closed?.kind === "posted" ? [...writtenOff, closed.version] : writtenOff;
  const draws = await drawsOf(tx, removed, versions);
  const came = await bring(tx, deps, merging, { draws, appReference, context });
  if (isKeptDeleted) await writeOffBalances(tx, deps, [kept], { appReference, after: removed.customerUid });
  await tx.execute(MERGE_AWAY, [kept.customerUid, removed.customerUid, removed.bucket]);
  return came > 0;
}

async function drawsOf(tx: Tx, { bucket, customerUid }: CustomerRef, versions: readonly bigint[]): Promise<Draw[]> {
  const named = versions.map((version) => ({ bucket, customerUid, version }));
  const draws = (await readDraws(tx, named)).get(customerUid);
  return versions.flatMap((version) => draws?.get(version) ?? []);
}

async function bring(
  tx: Tx,
  deps: PostingDeps,
  merging: MergingBalances,
  { draws, appReference, context }: { draws: readonly Draw[]; appReference: string; context: BatchContext },
): Promise<number> {
  const joined = joinBalances(merging);
  const postings = bringingPostings(deps.random.uid, merging, draws, appReference);
  const groups = postings.length === 0 ? [] : [{ before: joined, postings }];
  const outcomes = (await changeBalances(tx, deps, groups, context)).flatMap((change) => change.outcomes);
  const refused = outcomes.find(({ kind }) => kind !== "posted");
  if (refused?.kind === "refused") throw new Problem(refused.code);
  if (refused !== undefined) throw new Error(`points of a merged customer were not taken: ${refused.kind}`);
  const { bucket, customerUid, activeAt, earnedAt, owedPoints, heldPoints, heldUntil } = joined;
  await tx.execute(JOIN, [bucket, customerUid, activeAt, earnedAt, owedPoints, heldPoints, heldUntil]);
  return outcomes.length;
}

/** Two balances of one person, locked: `removed` is merged into `kept`. */
export interface MergingBalances {
  readonly removed: LockedBalance;
  readonly kept: LockedBalance;
}

/**
 * Returns the surviving balance before the points are added. Both histories belong to one person, so the last activity is the later of both (it
 * dates all lots alike, and none sooner than before) and the first earning is the earlier; debts and holds are added up.
 */
function joinBalances({ removed, kept }: MergingBalances): LockedBalance {
  return {
    ...kept,
    activeAt: laterOf(kept.activeAt, removed.activeAt),
    earnedAt: soonerOf(kept.earnedAt, removed.earnedAt),
    owedPoints: kept.owedPoints + removed.owedPoints,
    heldPoints: kept.heldPoints + removed.heldPoints,
    heldUntil: soonerOf(kept.heldUntil, removed.heldUntil),
  };
}

/** Returns the closing posting. A merge is written as a staff adjustment of both sides (type `manual`), whose sum is zero. */
function closingPosting(uid: string, { removed, kept }: MergingBalances, appReference: string): Posting {
  return {
    ...plainPosting(uid, "manual", appReference, { kind: "close" }),
    sourceKey: `merge/${removed.customerUid}`,
    object: `balance-${kept.customerUid}`,
  };
}

/**
 * Returns one posting for each lot of the removed side whose points the survivor gets, oldest expiry first, with the lot's date, start and origin
 * (program.md 3, returned points). The key names the lot, so that it can be found again: `carriedKey`. `draws`: all draws of these points; a lot
 * may have several.
 */
function bringingPostings(
  nextUid: () => string,
  { removed }: MergingBalances,
  draws: readonly Draw[],
  appReference: string,
): Posting[] {
  const byLot = Map.groupBy(draws, ({ lot }) => carriedKey(removed.customerUid, lot.version, lot.part));
  return [...byLot].map(([sourceKey, ofLot]) => ({
    ...plainPosting(nextUid(), "manual", appReference, {
      kind: "carry",
      pointValue: sum(ofLot),
      slices: byDate(ofLot),
    }),
    sourceKey,
    object: `balance-${removed.customerUid}`,
    origin: ofLot[0]?.lot.origin ?? null,
  }));
}

/** Returns one slice for each date that the lot had: its date may have changed between two draws. */
function byDate(draws: readonly Draw[]): Draw[] {
  const slices = new Map<bigint | null, Draw>();
  for (const { lot, points } of draws) {
    const date = lot.expiresAt?.epochNanoseconds ?? null;
    slices.set(date, { lot, points: points + (slices.get(date)?.points ?? 0n) });
  }
  return [...slices.values()];
}

function sum(draws: readonly Draw[]): bigint {
  return draws.reduce((total, { points }) => total + points, 0n);
}
