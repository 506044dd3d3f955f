import { absorbCustomer } from "../customers/absorb-customer.ts";
import { addAlias } from "../customers/add-alias.ts";
import type { CustomerRow, Patched } from "../customers/customer.ts";
import { selectAwaiting, selectByStorefrontId, selectCustomer } from "../customers/customer-queries.ts";
import { keepFormerAddress } from "../customers/former-address-queries.ts";
import { publishProfiles } from "../customers/profile/publish-profiles.ts";
import { isUpdateCause } from "../customers/profile/update-causes.ts";
import { readAwaiting } from "../customers/read-awaiting.ts";
import { upsertCustomer } from "../customers/upsert-customer.ts";
import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import type { Clock } from "../deps.ts";
import { moveHistory } from "../history/move-history.ts";
import { mergeMovedPoints } from "../imports/moved-points-queries.ts";
import { undoRevivedRows } from "../imports/undo/undo-revived-rows.ts";
import { type LockedBalance, lockUnmergedBalances } from "../ledger/balance-queries.ts";
import { writeOffExpired } from "../ledger/expiry/write-off-expired.ts";
import { type MergingBalances, mergeBalances } from "../ledger/merge/merge-balances.ts";
import { readMerged } from "../ledger/merge/merge-queries.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { moveMessages } from "../messages/move-messages.ts";
import { moveOrders } from "../orders/move-orders.ts";
import { reclaimMovedOrders } from "../orders/reclaim-moved-orders.ts";
import { requestMoveReviews } from "../orders/review/request-move-reviews.ts";
import { mergeRewards } from "../rewards/merge-rewards.ts";
import { joinTiers } from "../tiers/join-tiers.ts";
import { moveSpendBase } from "../tiers/move-spend-base.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";

export interface Merge {
  /** The platform's ids. */
  readonly keptId: string;
  readonly removedId: string;
  readonly appReference: string;
}

/**
 * Merges two customers whom the platform merged (program.md 3). Points with their dates, orders, spend, tier, holds and the profile fields
 * that the survivor lacks go to the survivor, to whom the other id leads from now on. The ledger of the other stays as it is, closed. If it
 * is called again, it does nothing; an id that was merged before is not merged again. Locks orders, then both balances.
 */
export async function mergeCustomers(
  tx: Tx,
  deps: PostingDeps,
  { keptId, removedId, appReference }: Merge,
): Promise<void> {
  const { customer: found } = await upsertCustomer(tx, deps, { storefrontId: keptId });
  const other = await selectByStorefrontId(tx, removedId);
  if (other === undefined) {
    await lockUnmergedBalances(tx, [found]);
    await addAlias(tx, removedId, found);
    return;
  }
  if (other.customerUid === found.customerUid || other.storefrontId !== removedId) return;
  const still = { ...deps, clock: stopped(deps.clock.now()) };
  const awaited = (await selectAwaiting(tx, [found])).size > 0; // before the orders are moved
  await moveOrders(tx, other, found, revivedAt(still, other));
  if (other.deletedAt !== null) await reclaimMovedOrders(tx, other, null);
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  const locked = await lockUnmergedBalances(tx, [other, found]);
  const balances = await writeOffDue(tx, still, locked, { removed: other, kept: found });
  const [removed, kept] = await Promise.all([readCustomer(tx, other), readCustomer(tx, found)]);
  if (removed.deletedAt !== null && other.deletedAt === null) {
    throw staleRead(`customer ${other.customerUid} was deleted meanwhile`); // orders moved as those of one who lives
  }
  await moveOrders(tx, removed, kept, revivedAt(still, removed));
  if (removed.deletedAt !== null && kept.deletedAt === null) await reclaimMovedOrders(tx, removed, still.clock.now());
  await mergeRewards(tx, removed, kept);
  const hasSpend = await moveSpendBase(tx, removed, kept);
  await moveHistory(tx, removed, kept);
  const hasMoved = await mergeMovedPoints(tx, removed, kept);
  // the file of the removed customer may contain orders of the survivor; those of somebody who was in no file keep what they earned
  if (hasSpend || hasMoved) await requestMoveReviews(tx, still, [kept], null);
  const patched = await absorbCustomer(tx, still, removed, kept);
  const isKeptDeleted = kept.deletedAt !== null;
  if (removed.email !== null && (isKeptDeleted || removed.email !== patched.profile.email))
    await keepFormerAddress(tx, removed.email, kept, still.clock.now());
  await moveMessages(tx, removed, kept);
  if (!isKeptDeleted) await joinTiers(tx, still, removed, kept);
  const isRemovedDeleted = removed.deletedAt !== null;
  const revived = isRemovedDeleted && !isKeptDeleted ? [removed, ...(await readMerged(tx, removed))] : [];
  const came = await mergeBalances(tx, still, balances, { appReference, isRemovedDeleted, isKeptDeleted });
  if (revived.length > 0) await undoRevivedRows(tx, still, { revived, kept });
  if (!came && !isKeptDeleted) await publishChange(tx, still, { kept, patched, before: balances.kept, awaited });
}

/**
 * Returns the time from which the removed customer's orders earn again, because the merge undoes the customer's deletion; null: the
 * customer was not deleted.
 */
function revivedAt({ clock }: Pick<PostingDeps, "clock">, removed: CustomerRow): Temporal.Instant | null {
  return removed.deletedAt === null ? null : clock.now();
}

/**
 * Returns a clock that stands still for the whole merge. Otherwise a hold whose end passes meanwhile could be released by one step and
 * moved by another.
 */
function stopped(now: Temporal.Instant): Clock {
  return { now: () => now };
}

/**
 * Writes off what the survivor had due by its own dates, because the later activity of both would extend it again, and ends the holds that
 * are over. What the other customer had due is written off when its balance is closed.
 */
async function writeOffDue(
  tx: Tx,
  deps: PostingDeps,
  locked: readonly LockedBalance[],
  { removed, kept }: { readonly removed: CustomerRow; readonly kept: CustomerRow },
): Promise<MergingBalances> {
  const isOver = ({ heldUntil }: LockedBalance) =>
    heldUntil !== null && Temporal.Instant.compare(heldUntil, deps.clock.now()) <= 0;
  await writeOffExpired(tx, deps, locked.some(isOver) ? [removed, kept] : [kept]);
  return pair(await lockUnmergedBalances(tx, [removed, kept]), removed, kept);
}

function pair(locked: readonly LockedBalance[], removed: CustomerRow, kept: CustomerRow): MergingBalances {
  const of = ({ customerUid }: CustomerRow): LockedBalance => {
    const balance = locked.find((each) => each.customerUid === customerUid);
    if (balance === undefined) throw new Error(`customer ${customerUid} has no balance`);
    return balance;
  };
  return { removed: of(removed), kept: of(kept) };
}

async function readCustomer(tx: Tx, ref: CustomerRow): Promise<CustomerRow> {
  const row = await selectCustomer(tx, ref);
  if (row === undefined) throw staleRead(`customer ${ref.customerUid} is gone`);
  return row;
}

/**
 * Publishes the change if no points moved: the survivor may have another name or expiry, or have become active (interface.md 6.3), with orders that
 * give points later too. `awaited`: whether it had such orders before.
 */
async function publishChange(
  tx: Tx,
  deps: PostingDeps,
  {
    kept,
    patched,
    before,
    awaited,
  }: {
    readonly kept: CustomerRow;
    readonly patched: Patched;
    readonly before: LockedBalance;
    readonly awaited: boolean;
  },
): Promise<void> {
  const [after] = await lockUnmergedBalances(tx, [kept]);
  if (after === undefined) throw new Error(`customer ${kept.customerUid} has no balance`);
  const isSame = (a: Temporal.Instant | null, b: Temporal.Instant | null) =>
    a?.epochNanoseconds === b?.epochNanoseconds;
  const isOther = !isSame(before.activeAt, after.activeAt) || !isSame(before.earnedAt, after.earnedAt);
  const awaits = (await readAwaiting(tx, [after])).size > 0;
  const isEnabled = patched.profile.accountEnabled !== false;
  const hasBecome = (isOther && (after.ledgerPoints > 0n || awaits)) || (awaits && !awaited && isEnabled);
  if (isUpdateCause(kept, patched, { balance: after, awaits }) || hasBecome)
    await publishProfiles(tx, deps, [{ customer: { ...kept, ...patched.profile }, balance: after }]);
}
