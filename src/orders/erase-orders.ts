import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

export interface ErasedOrders {
  readonly orderIds: readonly string[];
  /** The e-mails on them, in lower case. */
  readonly emails: readonly string[];
}

// A guest's order belongs to the person if it has the e-mail and no other customer has that e-mail. Each way is found by its own index: a condition
// that joins them by "or" reads every order. It is tested again, because an order may have changed until its lock was free.
const LOCK = `select o.order_id as "orderId",
  o.email
from store_order o
where o.order_id = any(array(
    select unnest($1::text[])
    union
    select c.order_id
    from unnest($2::smallint[], $3::uuid[]) as k (bucket, customer_uid)
    join store_order c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
    union
    select g.order_id
    from store_order g
    where g.customer_uid is null
      and g.email = any($4)))
  and (o.order_id = any($1)
    or (o.bucket, o.customer_uid) in (select * from unnest($2::smallint[], $3::uuid[]))
    or (o.customer_uid is null
      and o.email = any($4)
      and not exists (select from customer c where c.email = o.email)))
order by o.order_id
for no key update of o`;

const ERASE = `update store_order
set email = null,
  facts = facts #- '{stated,email}' #- '{stated,tags}'
where order_id = any($1)`;

/**
 * Makes orders anonymous: those of the customers (deleted or merged), the named orders, and guests' orders under the e-mails. Their amounts and the
 * platform's ids stay. Returns which orders these were.
 */
export async function eraseOrders(
  tx: Tx,
  person: {
    readonly refs: readonly CustomerRef[];
    readonly orderIds: readonly string[];
    readonly emails: readonly string[];
  },
): Promise<ErasedOrders> {
  const { refs, orderIds, emails } = person;
  const keys = refKeys(refs);
  const rows = await tx.query<{ orderId: string; email: string | null }>(LOCK, [orderIds, ...keys, emails]);
  const erased = rows.map(({ orderId }) => orderId);
  await tx.execute(ERASE, [erased]);
  return { orderIds: erased, emails: [...new Set(rows.flatMap(({ email }) => email ?? []))] };
}
