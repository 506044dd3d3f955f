import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

/** Where orders are that have yet to award points: at a customer, and under an address. */
export interface OrderPlace {
  /** null: only guests' orders count. */
  readonly customer: CustomerRef | null;
  /** In lower case; null: only the customer's own orders count. */
  readonly email: string | null;
}

// One statement: a guest's order that the customer gets meanwhile counts once.
const OPEN_POINTS = `select coalesce(sum(o.points) filter (where o.points > 0), 0)::text as points
from (
  select own.awardable_points - own.awarded_points as points
  from store_order own
  where own.bucket = $1::smallint
    and own.customer_uid = $2::uuid
  union all
  select guest.awardable_points - guest.awarded_points
  from store_order guest
  where guest.email = $3::text
    and guest.customer_uid is null) o`;

/**
 * Returns the points that orders can still award as they stand now: a customer's own, also those that are not paid, not shipped or pending, and those of
 * guests' orders that wait under an address. When an order awards them, they are in the balance instead, so that the sum of both stays the same.
 */
export async function readOpenPoints(queryable: Queryable, { customer, email }: OrderPlace): Promise<bigint> {
  const params = [customer?.bucket ?? null, customer?.customerUid ?? null, email];
  const [sum] = await queryable.query<{ points: string }>(OPEN_POINTS, params);
  return BigInt(sum?.points ?? 0);
}
