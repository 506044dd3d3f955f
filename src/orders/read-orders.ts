import type { Queryable } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import { ORDER_IDS_MAX } from "./schema.ts";

/** Points of one order, with the names of the interface (interface.md 2.7). */
export interface OrderPoints {
  readonly awardable_points: bigint;
  readonly points_awarded: bigint;
  readonly points_redeemed: bigint;
}

const SELECT_ORDERS = `select order_id,
  awardable_points,
  awarded_points as points_awarded,
  redeemed_points as points_redeemed
from store_order
where order_id = any($1)`;

/**
 * Returns point data of the orders of a comma-separated list, by id (interface.md 4.11): unknown ids are absent, ids after the first 250
 * are ignored. Throws `invalid` if the list is empty.
 */
export async function readOrders(queryable: Queryable, list: string): Promise<Record<string, OrderPoints>> {
  const ids = list.split(",").map((id) => id.trim());
  const named = ids.filter((id) => id !== "").slice(0, ORDER_IDS_MAX);
  if (named.length === 0) {
    throw new Problem("invalid", { faults: [{ parameter: "ids", detail: "expected order ids, comma-separated" }] });
  }
  const rows = await queryable.query<OrderPoints & { order_id: string }>(SELECT_ORDERS, [named]);
  return Object.fromEntries(rows.map(({ order_id, ...points }) => [order_id, points]));
}
