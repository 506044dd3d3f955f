import type { Queryable } from "../db/pool.ts";
import type { ClaimedPosting } from "./plan/posting-result.ts";

const SELECT_CLAIMED = `select a.source_key as cause,
  a.bucket,
  a.customer_uid as "customerUid",
  a.version,
  a.point_value as taken
from allotment a
where a.source_key = any($1)
  and a.source_key not like 'api/%'
  and a.parent = $2`;

/** Returns the allotments that an order itself posted under keys that were counted before. */
export async function readClaimed(
  queryable: Queryable,
  orderId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ClaimedPosting>> {
  if (keys.length === 0) return new Map();
  const rows = await queryable.query<{
    cause: string;
    bucket: number;
    customerUid: string;
    version: bigint;
    taken: bigint;
  }>(SELECT_CLAIMED, [keys, `order-${orderId}`]);
  return new Map(
    rows.map(({ cause, bucket, customerUid, version, taken }) => [
      cause,
      { customer: { bucket, customerUid }, version, taken },
    ]),
  );
}
