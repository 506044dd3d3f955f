import type { Queryable } from "../../db/pool.ts";

/** The points stored in an order's row. */
export interface RecomputedPoints {
  readonly awardablePoints: bigint;
  readonly awardedPoints: bigint;
  readonly redeemedPoints: bigint;
  readonly forgivenPoints: bigint;
}

const SELECT_SUMS = `select o.awardable_points as "awardablePoints",
  o.awarded_points as "awardedPoints",
  o.redeemed_points as "redeemedPoints",
  o.forgiven_points as "forgivenPoints"
from store_order o
where o.order_id = $1`;

/** Returns the points of an order, which must exist. */
export async function selectOrderPoints(queryable: Queryable, orderId: string): Promise<RecomputedPoints> {
  const [row] = await queryable.query<RecomputedPoints>(SELECT_SUMS, [orderId]);
  if (row === undefined) throw new Error(`order ${orderId} vanished`);
  return row;
}
