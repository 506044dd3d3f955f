import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { OrderRules } from "./plan/order-rules.ts";
import { nextNumber, orderPosting } from "./plan/planned-posting.ts";
import { type AssignedPosting, type OrderPostingRow, pointsOnOtherCustomers } from "./store-order.ts";

/**
 * Moves the points of an order whose customer changes (program.md 4): points requested for others are taken back there, like a refund, and
 * given to its own customer in full.
 */
export function transferPostings(
  orderId: string,
  rules: OrderRules,
  to: { readonly customer: CustomerRef; readonly rows: readonly OrderPostingRow[] },
): readonly AssignedPosting[] {
  const prefix = `adjust/${orderId}/`;
  let n = nextNumber(to.rows, prefix);
  const adjusted = (customer: CustomerRef, pointValue: bigint): AssignedPosting => {
    const planned = orderPosting(orderId, rules, { key: `${prefix}${n++}`, pointValue, object: null, action: null });
    return { planned, customer, returned: null };
  };
  return pointsOnOtherCustomers(to.rows, to.customer).flatMap(({ customer, points }) => [
    adjusted(customer, -points),
    adjusted(to.customer, points),
  ]);
}
