import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

/** The customer who had a storefront id before a merge gave it to another one. */
export interface FormerOwner extends CustomerRef {
  readonly storefrontId: string;
  /** When the customer was merged, or deleted before. */
  readonly until: Temporal.Instant;
}

const SELECT = `select c.storefront_id as "storefrontId",
  c.bucket,
  c.customer_uid as "customerUid",
  c.deleted_at as until
from balance b
join customer c on c.bucket = b.bucket and c.customer_uid = b.customer_uid
where b.merged_into = any($1)
  and c.storefront_id = any($2)
  and c.deleted_at is not null`;

/** Returns the former owners of ids that lead to other customers since merges, by id. `named`: the present customers, each with the id. */
export async function findFormerOwners(
  queryable: Queryable,
  named: readonly Pick<FormerOwner, "customerUid" | "storefrontId">[],
): Promise<ReadonlyMap<string, FormerOwner>> {
  if (named.length === 0) return new Map();
  const rows = await queryable.query<FormerOwner>(SELECT, [
    named.map(({ customerUid }) => customerUid),
    named.map(({ storefrontId }) => storefrontId),
  ]);
  return new Map(rows.map((row) => [row.storefrontId, row]));
}
