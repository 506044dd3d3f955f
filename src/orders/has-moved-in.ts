import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

const SELECT = `select m.customer_uid
from moved_points m
where m.bucket = $1
  and m.customer_uid = $2
union all
select b.customer_uid
from customer_spend_base b
where b.bucket = $1
  and b.customer_uid = $2
limit 1`;

/** Whether a file of another app gave a customer points or spend, and may so contain orders of theirs (`readMovedIn`). */
export async function hasMovedIn(queryable: Queryable, { bucket, customerUid }: CustomerRef): Promise<boolean> {
  return (await queryable.query(SELECT, [bucket, customerUid])).length > 0;
}
