import type { OrderPlan } from "./plan-order-postings.ts";
import { isAwardRow, type PostedCauseRow, pointsAwarded } from "./planned-posting.ts";

/** What was paid for the goods of one award (docs/liability.md), stored with its posting and never changed. */
export interface AwardPrice {
  /** Whole minor units of the store's currency. */
  readonly minor: bigint;
  /** The order's credit time when it was posted; null: it was not credited yet. */
  readonly creditedAt: Temporal.Instant | null;
}

/**
 * Returns the price of each row that gave points, by its cause. Each has the part of the order's price up to its points, less the part up to the
 * points before it, so that the awards of an order sum to its price, in however many shipments. `before`: the order's earlier rows.
 */
export function awardPrices(
  { price, awardablePoints }: Pick<OrderPlan, "price" | "awardablePoints">,
  before: readonly PostedCauseRow[],
  rows: readonly PostedCauseRow[],
): ReadonlyMap<string, AwardPrice> {
  const minor = price.minor > 0n ? price.minor : 0n;
  const upTo = (points: bigint): bigint => {
    if (points <= 0n || awardablePoints <= 0n) return 0n;
    return points >= awardablePoints ? minor : (minor * points) / awardablePoints;
  };
  const prices = new Map<string, AwardPrice>();
  let held = pointsAwarded(before);
  for (const row of rows.filter(isAwardRow)) {
    if (row.taken > 0n) {
      prices.set(row.cause, { minor: upTo(held + row.taken) - upTo(held), creditedAt: price.creditedAt });
    }
    held += row.taken;
  }
  return prices;
}
