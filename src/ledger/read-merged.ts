import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const READ_MERGED = `select b.bucket,
  b.customer_uid as "customerUid"
from balance b
where b.merged_into = $1
order by b.customer_uid`;

/** Who has been merged into a customer, at once or by way of others. */
export function readMerged(queryable: Queryable, { customerUid }: CustomerRef): Promise<CustomerRef[]> {
  return queryable.query<CustomerRef>(READ_MERGED, [customerUid]);
}
