import { publishProfiles } from "../customers/profile/publish-profiles.ts";
import type { Tx } from "../db/pool.ts";
import { lockLiveBalances, lockUnmergedBalances } from "../ledger/balance-queries.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { readDeleted, readWrittenOff } from "../ledger/merge/merge-queries.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import { applyOrderPlan } from "./apply-order-plan.ts";
import { claimCoupons } from "./coupons/claim-coupons.ts";
import type { LockedCoupon } from "./coupons/coupon-use-queries.ts";
import { findActivated } from "./find-activated.ts";
import { findOrderCustomer } from "./find-order-customer.ts";
import { selectPostings } from "./order-queries.ts";
import { insertPostings, saveSpends, updateOrders } from "./order-write-queries.ts";
import { orderState, type PostedOrder, rowsToStore, settledRow, unpinnedProducts } from "./plan/order-state.ts";
import { planOrderPostings } from "./plan/plan-order-postings.ts";
import type { PlannedPosting, PostedCauseRow } from "./plan/planned-posting.ts";
import { selectProducts } from "./products/select-products.ts";
import { reviveLostAwards } from "./review/revive-lost-awards.ts";
import { snapshotOrderRules } from "./snapshot-order-rules.ts";
import {
  type AssignedPosting,
  type CouponUse,
  givenVersions,
  type OrderPostingRow,
  type StoreOrder,
} from "./store-order.ts";
import { transferPostings } from "./transfer-postings.ts";

/**
 * Makes an order's points equal to what its facts award now (program.md 4): finds its customer, takes the rules' snapshot, counts the
 * coupons that it used, posts the difference and stores its state. The order must be locked and `facts` must be its newest; repeating it
 * changes nothing. While it waits for its customer, or if that customer was deleted, it gets no points; for a deleted customer it stores
 * nothing that names the person.
 */
export async function postOrder(tx: Tx, deps: PostingDeps, stated: StoreOrder): Promise<void> {
  const found = await findOrderCustomer(tx, deps, stated);
  const order = found === null || found.deletedAt === null ? stated : withoutPerson(stated);
  const customer = found === null ? null : { bucket: found.bucket, customerUid: found.customerUid };
  const receiver = found?.deletedAt === null ? customer : null;
  const { uses, late, confirmCoupons } = await claimCoupons(tx, deps, order);
  const [{ rules, rulesFor, confirm }, kept, products] = await Promise.all([
    snapshotOrderRules(tx, order, found),
    selectPostings(tx, order.orderId),
    selectProducts(tx, unpinnedProducts(order)),
  ]);
  const rows = receiver === null ? kept : await reviveLostAwards(tx, order.orderId, kept);
  const moves = receiver === null ? [] : transferPostings(order.orderId, rules, { customer: receiver, rows });
  const plan = planOrderPostings({
    facts: order.facts,
    rules,
    products,
    alreadyPosted: [...rows, ...moves.map(plannedRow)],
    coupons: uses.filter(({ points }) => points > 0n),
    now: deps.clock.now(),
    isWaiting: receiver === null,
  });
  const postings = [...moves, ...plan.postings.flatMap((planned) => owned(planned, receiver, uses))];
  const gone = await goneWith(tx, { moves, postings, late, rows });
  const posted = await applyOrderPlan(tx, deps, order, { late, postings, rows, gone });
  const settled = receiver === null ? [] : plan.settled.map(settledRow);
  await insertPostings(tx, rowsToStore(order.orderId, plan, { before: rows, rows: [...posted, ...settled] }));
  const state = { ...order, customer, rules: plan.rules, rulesFor };
  const confirms = [confirm, confirmCoupons];
  await storeState(tx, deps, state, { plan, receiver, uses, rows: [...rows, ...posted], confirms });
  if (late.length > 0) await postOrder(tx, deps, state); // what late uses cost is known now: of it, some may come back
}

function withoutPerson(order: StoreOrder): StoreOrder {
  const { email: _, tags: __, ...stated } = order.facts.stated;
  return { ...order, facts: { ...order.facts, stated } };
}

/**
 * Returns the balance that a posting changes: a coupon's points go back to the customer from whom they were taken, or who has them since a merge.
 * Undefined: the posting has to wait, or its customer was deleted.
 */
function owned(
  planned: PlannedPosting,
  receiver: CustomerRef | null,
  uses: readonly CouponUse[],
): readonly AssignedPosting[] {
  const coupon = uses.find(({ uid }) => planned.object === `coupon-${uid}`);
  if (coupon !== undefined) {
    if (coupon.isHolderDeleted) return [];
    const returned = { version: coupon.debitVersion, customer: coupon.customer };
    return [{ planned, customer: coupon.holder, returned }];
  }
  return receiver === null ? [] : [{ planned, customer: receiver, returned: null }];
}

function plannedRow({ planned }: AssignedPosting): PostedCauseRow {
  return { cause: planned.key, requested: planned.pointValue, taken: planned.pointValue };
}

interface Intended {
  /** Those of the postings that move points from former customers. */
  readonly moves: readonly AssignedPosting[];
  readonly postings: readonly AssignedPosting[];
  readonly late: readonly LockedCoupon[];
  /** The order's earlier postings. */
  readonly rows: readonly OrderPostingRow[];
}

/**
 * Returns the order's points that were written off with deleted former customers, by customer uid. If there are any such customers, the balances of all
 * postings and late coupons are locked, together because of their order: a merge that brings these points back then either counts the rows of this
 * transaction, or makes it start over.
 */
async function goneWith(tx: Tx, { moves, postings, late, rows }: Intended): Promise<ReadonlyMap<string, bigint>> {
  const moved = moves.map(({ customer }) => customer);
  const deleted = await readDeleted(tx, moved);
  if (deleted.size === 0) return new Map();
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  await lockUnmergedBalances(tx, [...postings.map(({ customer }) => customer), ...late.map(({ holder }) => holder)]);
  const left = moved.filter(({ customerUid }) => deleted.has(customerUid));
  const lots = left.flatMap((customer) => givenVersions(rows, customer).map((version) => ({ ...customer, version })));
  const lost = await readWrittenOff(tx, lots);
  return new Map(left.map(({ customerUid }) => [customerUid, lost.get(customerUid) ?? 0n]));
}

/** Stores the result, and publishes that the balance becomes active if the order gives it points later. `confirms`: of what was read before the lock. */
async function storeState(
  tx: Tx,
  deps: PostingDeps,
  order: StoreOrder,
  { confirms, ...posted }: PostedOrder & { readonly confirms: readonly (() => Promise<void>)[] },
): Promise<void> {
  const { receiver } = posted;
  const { update, spend } = orderState(order, posted);
  if (update.dueAt !== null) await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  // A merge or deletion of the customer locks this balance too: it then also moves or erases the order, or this transaction starts over.
  const [balance] = receiver === null ? [] : await lockLiveBalances(tx, [receiver]);
  if (receiver === null && order.customer !== null) await lockUnmergedBalances(tx, [order.customer]);
  if (receiver !== null) for (const confirm of confirms) await confirm();
  const activated = balance === undefined ? null : await findActivated(tx, update, balance);
  await Promise.all([updateOrders(tx, [update]), saveSpends(tx, [spend])]);
  if (balance !== undefined && activated !== null) await publishProfiles(tx, deps, [{ customer: activated, balance }]);
}
