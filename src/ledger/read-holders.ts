import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refOf } from "./customer-ref.ts";

const READ_MERGED = `select b.customer_uid as "customerUid",
  b.merged_into as "mergedInto"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join balance b on b.bucket = w.bucket and b.customer_uid = w.customer_uid
where b.merged_into is not null`;

/**
 * Who has now what customers had, by their uid: of those who were merged into another, the surviving one; the others, who are
 * their own, are not in it.
 */
export async function readHolders(
  queryable: Queryable,
  refs: readonly CustomerRef[],
): Promise<ReadonlyMap<string, CustomerRef>> {
  if (refs.length === 0) return new Map();
  const rows = await queryable.query<{ customerUid: string; mergedInto: string }>(READ_MERGED, [
    refs.map((ref) => ref.bucket),
    refs.map((ref) => ref.customerUid),
  ]);
  return new Map(rows.map(({ customerUid, mergedInto }) => [customerUid, refOf(mergedInto)]));
}
