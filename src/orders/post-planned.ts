import type { Tx } from "../db/pool.ts";
import { type PostingDeps, postAllotments } from "../ledger/post-allotments.ts";
import type { Outcome } from "../ledger/posting.ts";
import { insertUse, type LockedCoupon } from "./coupon-use-queries.ts";
import { lateDebit, lateUse } from "./late-coupon.ts";
import { insertPostings } from "./order-queries.ts";
import { ledgerPosting, postingRow } from "./posting-result.ts";
import { raiseTasks } from "./raise-tasks.ts";
import { readClaimed } from "./read-claimed.ts";
import type { OrderPostingRow, OwnedPosting, StoreOrder } from "./store-order.ts";

export interface WantedPostings {
  /** Coupons whose points are taken again first. */
  readonly late: readonly LockedCoupon[];
  /** In the order in which they are posted. */
  readonly postings: readonly OwnedPosting[];
  /** What the order posted before. */
  readonly rows: readonly OrderPostingRow[];
}

/**
 * Posts what an order asks for, at once, and keeps a row for each with what the balance gave or took. What was refused raises
 * a task for the staff and is not asked for again (program.md 4). Answers the rows.
 */
export async function postPlanned(
  tx: Tx,
  deps: PostingDeps,
  order: StoreOrder,
  wanted: WantedPostings,
): Promise<OrderPostingRow[]> {
  const { late, postings, rows } = wanted;
  const debits = late.map((coupon) => ({
    customer: coupon.customer,
    posting: lateDebit(coupon, order, deps.random.uid()),
  }));
  const planned = postings.map((owned) => ({
    customer: owned.customer,
    posting: ledgerPosting(owned, order, { uid: deps.random.uid(), rows }),
  }));
  const outcomes = await postAllotments(tx, deps, [...debits, ...planned]);
  await writeLateUses(tx, deps, order, late, outcomes);
  return keepRows(tx, deps, order, postings, outcomes.slice(late.length));
}

async function writeLateUses(
  tx: Tx,
  deps: PostingDeps,
  { orderId }: StoreOrder,
  late: readonly LockedCoupon[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const usedAt = deps.clock.now();
  for (const [i, coupon] of late.entries()) {
    await insertUse(tx, lateUse(coupon, outcomes[i]), { orderId, usedAt, isLate: true });
  }
}

async function keepRows(
  tx: Tx,
  deps: PostingDeps,
  { orderId }: StoreOrder,
  postings: readonly OwnedPosting[],
  outcomes: readonly Outcome[],
): Promise<OrderPostingRow[]> {
  const repeated = postings.flatMap(({ planned }, i) => (outcomes[i]?.kind === "duplicate" ? [planned.key] : []));
  const claimed = await readClaimed(tx, orderId, repeated);
  const rows = postings.map((owned, i) => postingRow(owned, outcomes[i], claimed.get(owned.planned.key)));
  await insertPostings(tx, orderId, rows);
  await raiseTasks(tx, deps, orderId, rows);
  return rows;
}
