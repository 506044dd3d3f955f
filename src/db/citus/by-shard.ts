import type { Tx } from "../pool.ts";

/**
 * Divides rows into parts that one statement may change: all of them on a plain PostgreSQL; on Citus one part per shard, because a change
 * of several shards makes every other such change wait until it commits.
 */
export function byShard<Row>(
  tx: Tx,
  rows: readonly Row[],
  bucketOf: (row: Row) => number,
): readonly (readonly Row[])[] {
  const { shards } = tx;
  if (shards === null) return [rows];
  return [...Map.groupBy(rows, (row) => shards[bucketOf(row)]).values()];
}
