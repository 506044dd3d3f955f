import type { Queryable } from "../db/pool.ts";
import type { NamedLots } from "./lot-queries.ts";

// From lot to lot: a customer may have been merged into one who was merged in turn. The keys are those of `carriedKey`.
const READ_CARRIED = `with recursive carried as (
  select w.customer_uid as first_uid,
    w.version as first_version,
    w.customer_uid,
    w.version,
    0 as hops
  from unnest($1::uuid[], $2::bigint[]) as w (customer_uid, version)
  union all
  select c.first_uid, c.first_version, a.customer_uid, a.version, c.hops + 1
  from carried c
  join allotment a on a.source_key = 'merge/' || c.customer_uid || '/' || c.version || '/0' and a.source_key not like 'api/%')
select distinct on (first_uid, first_version) first_uid as "customerUid",
  first_version as "version",
  version as "carriedVersion"
from carried
where hops > 0
order by first_uid, first_version, hops desc`;

/** By `<customer uid>/<version>`, the allotment of the surviving customer that has what was left of a merged customer's one. */
export async function readCarried(
  queryable: Queryable,
  wanted: readonly Pick<NamedLots, "customerUid" | "version">[],
): Promise<ReadonlyMap<string, bigint>> {
  if (wanted.length === 0) return new Map();
  const rows = await queryable.query<{ customerUid: string; version: bigint; carriedVersion: bigint }>(READ_CARRIED, [
    wanted.map(({ customerUid }) => customerUid),
    wanted.map(({ version }) => version),
  ]);
  return new Map(rows.map(({ customerUid, version, carriedVersion }) => [`${customerUid}/${version}`, carriedVersion]));
}
