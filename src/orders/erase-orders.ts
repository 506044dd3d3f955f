import type { Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

export interface ErasedOrders {
  readonly orderIds: readonly string[];
  /** E-mails that stood on them, lower case. */
  readonly emails: readonly string[];
}

// An order of a guest is the person's where it has the e-mail and no other customer has.
const LOCK = `select o.order_id as "orderId",
  o.email
from store_order o
where o.order_id = any($1)
  or (o.bucket, o.customer_uid) in (select * from unnest($2::smallint[], $3::uuid[]))
  or (o.customer_uid is null
    and o.email = any($4)
    and not exists (select from customer c where c.email = o.email))
order by o.order_id
for no key update of o`;

const ERASE = `update store_order
set email = null,
  facts = facts #- '{stated,email}' #- '{stated,tags}'
where order_id = any($1)`;

/**
 * Makes orders anonymous: those of the customers (deleted or merged), those named, and guests' under the e-mails. What they
 * were worth stays, and the platform's ids. Returns which they were.
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
