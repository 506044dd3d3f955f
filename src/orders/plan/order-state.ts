import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { CountedSpend, OrderUpdate, OwnedPostingRow } from "../order-write-queries.ts";
import { type CouponUse, forgivenPoints, type OrderPostingRow, type StoreOrder } from "../store-order.ts";
import { awardPrices } from "./award-price.ts";
import { isProductOpen } from "./order-rules.ts";
import type { OrderPlan } from "./plan-order-postings.ts";
import { pointsAwarded } from "./planned-posting.ts";

/** The result of posting an order. */
export interface PostedOrder {
  readonly plan: OrderPlan;
  /** The customer who gets its points; null: no one. */
  readonly receiver: CustomerRef | null;
  readonly uses: readonly CouponUse[];
  /** All its postings, present and earlier. */
  readonly rows: readonly OrderPostingRow[];
}

/** Returns what is stored of an order after it was posted, and what it counts toward its customer's tier. `order` has its customer and `rulesFor`. */
export function orderState(
  order: StoreOrder,
  { plan, receiver, uses, rows }: PostedOrder,
): { readonly update: OrderUpdate; readonly spend: CountedSpend } {
  const { orderId, facts } = order;
  const update = {
    ...order,
    email: facts.stated.email?.toLowerCase() ?? null,
    rules: plan.rules,
    awardablePoints: plan.awardablePoints,
    awardedPoints: pointsAwarded(rows),
    redeemedPoints: uses.reduce((total, { points }) => total + points, 0n),
    forgivenPoints: forgivenPoints(rows),
    dueAt: receiver === null ? null : roundUp(plan.pendingUntil),
  };
  const spend = receiver === null || plan.tierSpend === null ? null : { ...plan.tierSpend, customer: receiver };
  return { update, spend: { orderId, spend } };
}

/** Returns an order's new rows as they are stored, with the prices of its awards. `before`: its earlier rows. */
export function rowsToStore(
  orderId: string,
  plan: Pick<OrderPlan, "price" | "awardablePoints">,
  { before, rows }: { readonly before: readonly OrderPostingRow[]; readonly rows: readonly OrderPostingRow[] },
): readonly OwnedPostingRow[] {
  const prices = awardPrices(plan, before, rows);
  return rows.map((row) => ({ orderId, row, price: prices.get(row.cause) }));
}

/** Returns the row of a cause that gave no points and never will. */
export function settledRow(cause: string): OrderPostingRow {
  return {
    cause,
    type: null,
    customer: null,
    version: null,
    requested: 0n,
    taken: 0n,
    takenElsewhere: 0n,
    result: "settled",
  };
}

/** Returns the products that an order names and has not pinned yet, or not their tags and collections both. */
export function unpinnedProducts({ facts, rules }: Pick<StoreOrder, "facts" | "rules">): readonly string[] {
  const named = (facts.stated.lines ?? []).flatMap(({ productId }) => (productId === null ? [] : [productId]));
  return [...new Set(named)].filter((id) => rules === null || isProductOpen(rules, id));
}

/** Rounds up to the precision of a timestamptz: rounded down, an order would be due too early. */
function roundUp(at: Temporal.Instant | null): Temporal.Instant | null {
  return at?.round({ smallestUnit: "microsecond", roundingMode: "ceil" }) ?? null;
}
