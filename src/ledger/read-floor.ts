import type { Queryable } from "../db/pool.ts";

/** Nothing may be allotted at or before it; null: no floor yet. */
export async function readFloor(queryable: Queryable): Promise<Temporal.Instant | null> {
  const rows = await queryable.query<{ floorAt: Temporal.Instant | null }>(
    `select floor_at as "floorAt" from ledger_mark`,
  );
  return rows[0]?.floorAt ?? null;
}
