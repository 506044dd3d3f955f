import type { Tx } from "../db/pool.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { Outcome } from "../ledger/posting.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { capPostings } from "./cap-postings.ts";
import { insertUse, type LockedCoupon } from "./coupons/coupon-use-queries.ts";
import { lateDebit, lateUse } from "./coupons/late-coupon.ts";
import { readReturnedLeft } from "./coupons/read-returned-left.ts";
import { ledgerPosting } from "./plan/posting-result.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import type { AssignedPosting, OrderPostingRow, ReturnedPoints, StoreOrder } from "./store-order.ts";

export interface OrderPlanInput {
  /** Coupons whose points are taken again first. */
  readonly late: readonly LockedCoupon[];
  /** In the order in which they are posted. */
  readonly postings: readonly AssignedPosting[];
  /** The order's earlier postings. */
  readonly rows: readonly OrderPostingRow[];
  /** The order's points that were written off with deleted customers, by customer uid. Nothing is requested from these customers. */
  readonly gone: ReadonlyMap<string, bigint>;
}

const NOTHING_RETURNED: ReturnedPoints = { left: 0n, versions: [] };

/**
 * Posts all requested postings of an order together. Returns a row for each to be stored, with the points that the balance gave or took
 * (`settleOutcomes`).
 */
export async function applyOrderPlan(
  tx: Tx,
  deps: PostingDeps,
  order: StoreOrder,
  input: OrderPlanInput,
): Promise<OrderPostingRow[]> {
  const { late, postings, rows, gone } = input;
  const now = deps.clock.now();
  const still = { ...deps, clock: { now: () => now } }; // what has expired is decided once for all steps
  const customers = [...late.map(({ holder }) => holder), ...postings.map(({ customer }) => customer)];
  const living = customers.filter(({ customerUid }) => !gone.has(customerUid));
  const returned = await readReturnedLeft(tx, still, { late, postings, rows }, living);
  const debits = late.map((coupon) => ({
    customer: coupon.holder,
    posting: lateDebit(coupon, returned.get(coupon.uid) ?? NOTHING_RETURNED, order, deps.random.uid()),
  }));
  const again = postings.map((one) => ({ ...one, again: returned.get(one.planned.couponUid ?? "") }));
  const bounded = await capPostings(tx, still, order, { before: debits, postings: again, rows, gone });
  const nonZero = bounded.filter((posting) => posting.cappedPoints !== 0n);
  const planned = nonZero.map((posting) => ({
    customer: posting.customer,
    posting: ledgerPosting(posting, order, { uid: deps.random.uid(), rows }),
  }));
  const outcomes = await postAllotments(tx, still, [...debits, ...planned]);
  await writeLateUses(tx, deps, order, late, new Map(late.map(({ uid }, i) => [uid, outcomes[i]])));
  const outcomeOf = new Map(nonZero.map((posting, i) => [posting.planned.key, outcomes[late.length + i]]));
  return settleOutcomes(tx, deps, { orderId: order.orderId, postings: bounded }, outcomeOf);
}

async function writeLateUses(
  tx: Tx,
  deps: PostingDeps,
  { orderId }: StoreOrder,
  late: readonly LockedCoupon[],
  outcomeOf: ReadonlyMap<string, Outcome | undefined>,
): Promise<void> {
  const usedAt = deps.clock.now();
  for (const coupon of late) {
    await insertUse(tx, lateUse(coupon, outcomeOf.get(coupon.uid)), { orderId, usedAt, isLate: true });
  }
}
