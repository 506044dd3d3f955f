import { adjustmentExcess, NOTHING_MOVED } from "../allowance/allowance.ts";
import { lockMover, readMoved } from "../allowance/queries.ts";
import { recordMovement } from "../allowance/record-movement.ts";
import { recordAction } from "../audit/record-action.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { selectCustomer } from "../customers/customer-queries.ts";
import { findCustomer } from "../customers/find-customer.ts";
import { countNotes } from "../customers/notes/note-queries.ts";
import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import { mergeCustomers } from "../intake/merge-customers.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { CurrentBalance } from "../ledger/read/balance-snapshot.ts";
import { readCurrentBalance } from "../ledger/read/read-current-balance.ts";
import { invalid, Problem } from "../problems.ts";
import type { Program } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { selectTier } from "../tiers/tier-queries.ts";
import { assignmentOf, type TierAssignment } from "../tiers/tier-update.ts";
import { DASHBOARD } from "./adjustment.ts";
import type { OverLimit } from "./post-adjustment.ts";
import { readOpenPoints } from "./read-open-points.ts";

/** The two customers to merge, each by id or e-mail. */
export interface MergeInput {
  readonly kept: string;
  readonly removed: string;
  readonly staffUid: string;
}

/** A customer of a merge, before or after it. */
export interface MergeSide {
  readonly customer: CustomerRow;
  readonly balance: CurrentBalance;
  readonly tier: TierAssignment;
  readonly notes: number;
}

export interface MergeResult {
  readonly kept: MergeSide;
  readonly removed: MergeSide;
  /** The surviving customer. */
  readonly after: MergeSide;
  readonly rules: ExpiryRules;
  readonly now: Temporal.Instant;
  /** The points that count in the allowance, see `countedPoints`. */
  readonly counted: bigint;
  /** Those of them that orders have yet to award. */
  readonly countedOpen: bigint;
  /** Set if more points count than are allowed: the caller rolls it back. Null: it may stay. Its `pointValue` is `counted`. */
  readonly over: OverLimit | null;
}

/** How many points may count: a person's own allowance, or what a second person approves. */
type MergeAllowance = "own" | { readonly approved: bigint };

/**
 * Merges two customers in a person's name, in the caller's transaction, which commits it or rolls it back. Afterwards the survivor has the points,
 * holds and debts of both and the other customer has none; otherwise the transaction fails. What counts within the person's allowance is recorded
 * as moved. Throws `customer_not_found`, `ambiguous_email`, `invalid` naming the field.
 */
export async function tryMerge(
  tx: Tx,
  deps: PostingDeps,
  asked: MergeInput,
  allowed: MergeAllowance = "own",
): Promise<MergeResult> {
  const now = deps.clock.now();
  const still = { ...deps, clock: { now: () => now } };
  if (allowed === "own") await lockMover(tx, asked.staffUid);
  const program = await readProgram(tx);
  const [keptRow, removedRow] = [await findCustomer(tx, asked.kept), await findCustomer(tx, asked.removed)];
  if (keptRow.customerUid === removedRow.customerUid) throw invalid("/removed", "expected another customer");
  const [kept, removed] = [await readSide(tx, program, keptRow, now), await readSide(tx, program, removedRow, now)];
  const moved = removed.balance.ledger.ledgerPoints;
  const { counted, countedOpen } = countedPoints(await pointsAt(tx, kept), await pointsAt(tx, removed));
  const over = await overLimit(tx, program, keptRow, { staffUid: asked.staffUid, counted, now, allowed });
  const ids = { keptId: keptRow.storefrontId, removedId: removedRow.storefrontId };
  await mergeCustomers(tx, still, { ...ids, appReference: DASHBOARD });
  const after = await readSide(tx, program, keptRow, now);
  checkSums(after, [kept, removed]);
  checkEmpty(await readSide(tx, program, removedRow, now));
  if (counted > 0n && allowed === "own")
    await recordMovement(tx, { staffUid: asked.staffUid, at: now, of: keptRow, given: counted, taken: 0n });
  await recordAction(tx, still, {
    action: "customer.merged",
    subject: { kind: "customer", id: ids.keptId },
    before: { balance: kept.balance.ledger.ledgerPoints, tier: kept.tier.tier.name },
    after: {
      merged: ids.removedId,
      point_value: moved,
      counted_points: counted,
      balance: kept.balance.ledger.ledgerPoints + moved,
      tier: after.tier.tier.name,
    },
  });
  return { kept, removed, after, rules: rulesOf(program), now, counted, countedOpen, over };
}

function rulesOf({ expiration, store }: Program): ExpiryRules {
  return { ...expiration, timeZone: store.timeZone };
}

async function readSide(tx: Tx, program: Program, ref: CustomerRef, now: Temporal.Instant): Promise<MergeSide> {
  const [customer, balance, stored, notes] = await Promise.all([
    selectCustomer(tx, ref),
    readCurrentBalance(tx, ref, rulesOf(program), now),
    selectTier(tx, ref),
    countNotes(tx, ref),
  ]);
  if (customer === undefined || balance === undefined) throw staleRead(`customer ${ref.customerUid} is gone`);
  return { customer, balance, tier: assignmentOf(program.tiers.rules, stored), notes };
}

/** The points that a customer's id and address lead to. */
interface PointsAt {
  readonly balance: bigint;
  /** What the customer's orders, and guests' orders under the address, have yet to award. */
  readonly open: bigint;
}

/** The open points are read after the balance: if an order awards them in between, the balance changes, which `checkSums` notices. */
async function pointsAt(tx: Tx, { customer, balance }: MergeSide): Promise<PointsAt> {
  const open = await readOpenPoints(tx, { customer, email: customer.email });
  return { balance: balance.ledger.ledgerPoints, open };
}

/**
 * Returns how many points a merge puts at the disposal of somebody who had only one of the two ids: those of the side with more. Both ids lead to all
 * points afterwards, so the survivor's come to whoever has the other id, as the other's come to the survivor. Open points count, because orders and an
 * address go to the survivor too. The sum is the same before and after an order is paid, shipped or given to one of the two, so a request that waits for
 * its approval meanwhile stays valid.
 */
function countedPoints(kept: PointsAt, removed: PointsAt): Pick<MergeResult, "counted" | "countedOpen"> {
  const { balance, open } = kept.balance + kept.open > removed.balance + removed.open ? kept : removed;
  return { counted: balance + open, countedOpen: open };
}

interface Counting {
  readonly staffUid: string;
  readonly counted: bigint;
  readonly now: Temporal.Instant;
  readonly allowed: MergeAllowance;
}

/** What counts of a merge counts as points given by the person. */
async function overLimit(
  tx: Tx,
  { staff }: Program,
  kept: CustomerRef,
  { staffUid, counted, now, allowed }: Counting,
): Promise<OverLimit | null> {
  const isOwn = allowed === "own";
  const before = isOwn ? await readMoved(tx, kept, { staffUid, now }) : { customer: NOTHING_MOVED, day: NOTHING_MOVED };
  const limits = isOwn ? staff : { approvalLimit: allowed.approved, dailyLimit: null };
  const excess = adjustmentExcess(limits, counted, before);
  if (excess === null) return null;
  return {
    kind: "over_limit",
    pointValue: counted,
    excess,
    earlier: before.customer.given,
    earlierOfDay: before.day.given,
  };
}

/** Fails if something was posted before the locks were taken: then everything is read again. */
function checkSums(after: MergeSide, before: readonly [MergeSide, MergeSide]): void {
  if (after.customer.deletedAt !== null) throw new Problem("customer_not_found");
  for (const field of ["ledgerPoints", "heldPoints", "owedPoints"] as const) {
    // cast: names of three sums
    const together = before.reduce((sum, { balance }) => sum + balance.ledger[field], 0n);
    const has = after.balance.ledger[field];
    if (has !== together) throw staleRead(`${field} of a merge: ${together} before, ${has} after`);
  }
  const inLots = after.balance.lots.reduce((sum, { remaining }) => sum + remaining, 0n);
  if (inLots !== after.balance.ledger.ledgerPoints) throw new Error(`lots of a merged customer hold ${inLots}`);
}

function checkEmpty({ balance: { ledger, lots }, customer }: MergeSide): void {
  if (ledger.ledgerPoints === 0n && ledger.heldPoints === 0n && ledger.owedPoints === 0n && lots.length === 0) return;
  throw new Error(`customer ${customer.customerUid} has points after a merge`);
}
