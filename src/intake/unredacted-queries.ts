import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

// Each page continues behind the last one: those who are erased already are not read again. A page is one subquery, to whose rows Citus joins the
// balances (decision 93): it would otherwise send all customers that are left for each page.
const NEXT_CUSTOMERS = `select c.storefront_id as id,
  c.bucket,
  c.customer_uid as "customerUid",
  b.merged_into is not null as "isMerged"
from (
  select bucket, customer_uid, storefront_id
  from customer
  where (bucket, customer_uid) > ($1::smallint, $2::uuid)
    and redacted_at is null
  order by bucket, customer_uid
  limit 100) c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
order by c.bucket, c.customer_uid`;

interface Unredacted extends CustomerRef {
  readonly id: string;
  /** Merged into another customer, with whom the person is erased. */
  readonly isMerged: boolean;
}

/** Returns a page of the customers behind one who are not erased. */
export function selectUnredacted(queryable: Queryable, after: CustomerRef): Promise<Unredacted[]> {
  return queryable.query<Unredacted>(NEXT_CUSTOMERS, [after.bucket, after.customerUid]);
}
