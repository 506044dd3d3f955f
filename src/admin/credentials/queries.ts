import type { Queryable } from "../../db/pool.ts";

/** When the rotation of the API secret key was begun; null: none is under way. */
export async function selectNextKeySince(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ since: Temporal.Instant }>(
    "select created_at as since from api_secret_key where state = 'next'",
  );
  return row?.since ?? null;
}
