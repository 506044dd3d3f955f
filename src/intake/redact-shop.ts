import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { eraseImports } from "../imports/erase-imports.ts";
import { eraseOrders } from "../orders/erase-orders.ts";
import { closeRequest } from "../privacy/privacy-queries.ts";
import { redactCustomer } from "./redact-customer.ts";

const NEXT_CUSTOMERS = `select c.storefront_id as id
from customer c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
where c.redacted_at is null
  and b.merged_into is null
order by c.bucket, c.customer_uid
limit 100`;

const NEXT_ORDERS = `select o.order_id as id
from store_order o
where o.email is not null
limit 500`;

const DROP_BODIES = `update receipt
set state = 'done',
  note = 'erased',
  headers = null,
  body = null
where key in (
  select key
  from receipt
  where body is not null
  limit 2000
  for update)`;

export interface ShopRedaction {
  /** The shop's id, as in its request. */
  readonly reference: string;
  readonly by: string;
}

/**
 * Erases every customer, guest's order and delivery of the shop after a person has confirmed it (platforms.md 1.1, shop/redact). Each customer is one
 * transaction, so it may be stopped and run again. Then the request is done. Returns how many customers were erased.
 */
export async function redactShop(deps: Deps, { reference, by }: ShopRedaction): Promise<number> {
  await deps.db.tx((tx) => eraseImports(tx, "everybody")); // files name people who are no customers yet, and would make them
  let customers = 0;
  for (;;) {
    const next = await deps.db.query<{ id: string }>(NEXT_CUSTOMERS);
    for (const { id } of next)
      await deps.db.tx((tx) => redactCustomer(tx, deps, { customerId: id, appReference: "pointkeeper" }));
    customers += next.length;
    if (next.length === 0) break;
  }
  while ((await deps.db.tx(eraseNextOrders)) > 0);
  while ((await deps.db.execute(DROP_BODIES)) > 0);
  await closeRequest(deps.db, { kind: "shop_redaction", reference }, { at: deps.clock.now(), by });
  return customers;
}

async function eraseNextOrders(tx: Tx): Promise<number> {
  const orderIds = (await tx.query<{ id: string }>(NEXT_ORDERS)).map(({ id }) => id);
  if (orderIds.length > 0) await eraseOrders(tx, { refs: [], orderIds, emails: [] });
  return orderIds.length;
}
