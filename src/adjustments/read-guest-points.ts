import type { Queryable } from "../db/pool.ts";

const GUEST_POINTS = `select coalesce(sum(awardable_points - awarded_points), 0)::text as points
from store_order
where email = $1
  and customer_uid is null
  and awardable_points > awarded_points`;

/** Returns the points that guests' orders under an address (lower case) can award as they stand now. */
export async function readGuestPoints(queryable: Queryable, email: string): Promise<bigint> {
  const [sum] = await queryable.query<{ points: string }>(GUEST_POINTS, [email]);
  return BigInt(sum?.points ?? 0);
}
