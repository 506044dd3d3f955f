import type { Queryable } from "../db/pool.ts";

/** The points that an order's row keeps. */
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

/** The sums of an order that is there. */
export async function selectOrderPoints(queryable: Queryable, orderId: string): Promise<RecomputedPoints> {
  const [row] = await queryable.query<RecomputedPoints>(SELECT_SUMS, [orderId]);
  if (row === undefined) throw new Error(`order ${orderId} vanished`);
  return row;
}
