/** The shard of a distributed store for each bucket, by bucket. */
export type Shards = readonly string[];

/** Runs a statement. */
interface QueryRunner {
  query<Row extends object>(text: string): Promise<Row[]>;
}

const IS_DISTRIBUTED = "select to_regclass('counted_source') is not null as found";
const READ_SHARDS = `select get_shard_id_for_distribution_column('balance', bucket)::text as shard
from generate_series(0, 255) as bucket
order by bucket`;

/** Returns the shard of each bucket; null: a plain PostgreSQL. */
export async function readShards(direct: QueryRunner): Promise<Shards | null> {
  const [row] = await direct.query<{ found: boolean }>(IS_DISTRIBUTED);
  if (row?.found !== true) return null;
  return (await direct.query<{ shard: string }>(READ_SHARDS)).map(({ shard }) => shard);
}

/** Caches the first value; a query that failed is repeated. */
export function cachedOnce<T>(read: () => Promise<T>): () => Promise<T> | T {
  let known: { readonly value: T } | undefined;
  return () => {
    if (known !== undefined) return known.value;
    return read().then((value) => {
      known = { value };
      return value;
    });
  };
}
