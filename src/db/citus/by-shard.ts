import type { Tx } from "../pool.ts";

/**
 * Returns rows in parts that one statement may change: all of them on a plain PostgreSQL; on a Citus those of each shard, since a change of
 * several shards keeps every other such change waiting until it commits.
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
