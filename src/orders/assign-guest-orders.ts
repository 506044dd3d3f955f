import type { CustomerRow } from "../customers/customer.ts";
import { selectByEmail } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { lockCouponsOf } from "./coupons/coupon-use-queries.ts";
import { lockGuestOrders } from "./order-queries.ts";
import { postOrder } from "./post-order.ts";

// The same lock that a guest's order takes before it looks for its customer: see find-order-customer.ts.
const LOCK_EMAIL = `select pg_advisory_xact_lock(hashtextextended('order-email/' || $1, 0))`;

/**
 * Gives a customer the guests' orders that wait under the customer's e-mail, which then award points (program.md 4). Call it in the transaction that
 * created the customer or set the e-mail. Orders keep waiting if two customers have the e-mail. Returns how many orders were processed.
 */
export async function assignGuestOrders(
  tx: Tx,
  deps: PostingDeps,
  customer: Pick<CustomerRow, "email" | "deletedAt">,
): Promise<number> {
  if (customer.email === null || customer.deletedAt !== null) return 0;
  await tx.query(LOCK_EMAIL, [customer.email]);
  const [, another] = await selectByEmail(tx, customer.email);
  if (another !== undefined) return 0;
  const orders = await lockGuestOrders(tx, customer.email);
  await lockCouponsOf(tx, orders);
  for (const order of orders) await postOrder(tx, deps, order);
  return orders.length;
}
