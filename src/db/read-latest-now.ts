import type { Queryable } from "./pool.ts";

/** Returns the later of a node's time and the database's. */
export async function readLatestNow(queryable: Queryable, now: Temporal.Instant): Promise<Temporal.Instant> {
  const [row] = await queryable.query<{ now: Temporal.Instant }>("select clock_timestamp() as now");
  return row !== undefined && Temporal.Instant.compare(row.now, now) > 0 ? row.now : now;
}
