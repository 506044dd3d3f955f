import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const READ_DELETED = `select c.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.deleted_at is not null`;

/** The uids of those customers who were deleted, or have been merged into another. */
export async function readDeleted(queryable: Queryable, refs: readonly CustomerRef[]): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const keys = [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)];
  const rows = await queryable.query<{ customerUid: string }>(READ_DELETED, keys);
  return new Set(rows.map(({ customerUid }) => customerUid));
}
