import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const READ_WRITE_OFFS = `select a.version
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.type = 'deletion'
order by a.version`;

/** The versions of the allotments that wrote a deleted customer's balance off. */
export async function readWriteOffs(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
): Promise<readonly bigint[]> {
  const rows = await queryable.query<{ version: bigint }>(READ_WRITE_OFFS, [bucket, customerUid]);
  return rows.map(({ version }) => version);
}
