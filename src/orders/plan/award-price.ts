import type { OrderPostingRow } from "../store-order.ts";
import type { OrderPlan } from "./plan-order-postings.ts";
import { awardRows } from "./planned-posting.ts";

/** What was paid for the goods of one award (docs/liability.md), stored with its posting and never changed. */
export interface AwardPrice {
  /** Whole minor units of the store's currency. */
  readonly minor: bigint;
  /** The order's credit time when it was posted; null: it was not credited yet. */
  readonly creditedAt: Temporal.Instant | null;
}

type Row = Pick<OrderPostingRow, "cause" | "requested" | "taken" | "takenElsewhere">;

/**
 * Returns the price of each row that gave points, by its cause. Each has the part of the order's price up to its points, less the part up to the
 * points that are held before it, so that the awards of an order sum to its price, in however many shipments. Points that a balance owes, or that were
 * written off with a deleted customer, are not held: given again, they have their part again. `before`: the order's earlier rows.
 */
export function awardPrices(
  { price, awardablePoints }: Pick<OrderPlan, "price" | "awardablePoints">,
  before: readonly Row[],
  rows: readonly Row[],
): ReadonlyMap<string, AwardPrice> {
  const minor = price.minor > 0n ? price.minor : 0n;
  const upTo = (points: bigint): bigint => {
    if (points <= 0n || awardablePoints <= 0n) return 0n;
    return points >= awardablePoints ? minor : (minor * points) / awardablePoints;
  };
  const prices = new Map<string, AwardPrice>();
  let held = awardRows(before).reduce((total, row) => total + pointsHeld(row), 0n);
  for (const row of awardRows(rows)) {
    if (row.taken > 0n) {
      prices.set(row.cause, { minor: upTo(held + row.taken) - upTo(held), creditedAt: price.creditedAt });
    }
    held += pointsHeld(row);
  }
  return prices;
}

function pointsHeld({ taken, takenElsewhere }: Row): bigint {
  return taken - takenElsewhere;
}
