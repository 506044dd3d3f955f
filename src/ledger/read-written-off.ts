import type { Queryable } from "../db/pool.ts";
import type { NamedLots } from "./lot-queries.ts";

const READ_WRITTEN_OFF = `select d.customer_uid as "customerUid",
  sum(d.points)::bigint as points
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as w (bucket, customer_uid, version)
join draw d on d.bucket = w.bucket and d.customer_uid = w.customer_uid and d.lot_version = w.version
join allotment a on a.bucket = d.bucket and a.customer_uid = d.customer_uid and a.version = d.by_version
where a.type = 'deletion'
group by d.customer_uid`;

/** Reads how much of the lots of some allotments went with their deleted customers, by customer. */
export async function readWrittenOff(
  queryable: Queryable,
  wanted: readonly Pick<NamedLots, "bucket" | "customerUid" | "version">[],
): Promise<ReadonlyMap<string, bigint>> {
  if (wanted.length === 0) return new Map();
  const rows = await queryable.query<{ customerUid: string; points: bigint }>(READ_WRITTEN_OFF, [
    wanted.map(({ bucket }) => bucket),
    wanted.map(({ customerUid }) => customerUid),
    wanted.map(({ version }) => version),
  ]);
  return new Map(rows.map(({ customerUid, points }) => [customerUid, points]));
}
