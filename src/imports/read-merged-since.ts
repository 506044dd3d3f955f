import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { selectJoinedSince } from "../ledger/merge/merge-queries.ts";

// Whom a merge gave the tier of a customer who had been deleted, without points, before the file.
const RAISED = `select distinct h.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join tier_change h on h.bucket = k.bucket and h.customer_uid = k.customer_uid
where h.cause = 'merge'
  and coalesce(h.fed_at, h.changed_at) >= $3`;

/** Returns the uids of those customers to whom merges since a time brought points or a tier. */
export async function readMergedSince(
  queryable: Queryable,
  holders: readonly CustomerRef[],
  since: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  const [joined, raised] = await Promise.all([
    selectJoinedSince(queryable, holders, since),
    queryable.query<{ customerUid: string }>(RAISED, [...refKeys(holders), since]),
  ]);
  return new Set([...joined, ...raised.map(({ customerUid }) => customerUid)]);
}
