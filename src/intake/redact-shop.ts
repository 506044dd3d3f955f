import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { eraseImports } from "../imports/erase-imports.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { eraseOrders } from "../orders/erase-orders.ts";
import { closeRequest } from "../privacy/privacy-queries.ts";
import { redactCustomer } from "./redact-customer.ts";
import { selectUnredacted } from "./unredacted-queries.ts";

const FIRST_UID = "00000000-0000-0000-0000-000000000000";
const FIRST: CustomerRef = { bucket: -1, customerUid: FIRST_UID };

const NEXT_ORDERS = `select o.order_id as id
from store_order o
where o.order_id > $1
  and o.email is not null
order by o.order_id
limit 500`;

// In the order of arrival, each slice behind the last one: receipts keep their rows without a body, and are not read again for each slice.
const NEXT_BODIES = `select uid
from receipt
where uid > $1
  and body is not null
order by uid
limit 2000`;

const DROP_BODIES = `update receipt
set state = 'done',
  note = 'erased',
  headers = null,
  body = null
where uid = any($1)
  and body is not null`;

const PASSES_MAX = 5;

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
  await dropBodies(deps); // what is not applied yet would bring people back
  let customers = 0;
  for (let erased = -1; erased !== 0; customers += erased) erased = await eraseCustomers(deps); // until nobody came meanwhile
  // until none came meanwhile, as a guest's may have any id; a shop that still sends orders does not keep it from ending
  for (let pass = 0; pass < PASSES_MAX && (await eraseOrderEmails(deps)); pass++);
  await dropBodies(deps);
  await closeRequest(deps.db, { kind: "shop_redaction", reference }, { at: deps.clock.now(), by });
  return customers;
}

/** Erases what receipts contain, once through all of them and through those that arrive meanwhile. */
async function dropBodies({ db }: Deps): Promise<void> {
  for (let after: string | undefined = FIRST_UID; after !== undefined; ) {
    const uids: string[] = (await db.query<{ uid: string }>(NEXT_BODIES, [after])).map(({ uid }) => uid);
    if (uids.length > 0) await db.tx((tx) => tx.execute(DROP_BODIES, [uids]));
    after = uids.at(-1);
  }
}

/** Erases every customer, once through all of them. Returns how many. */
async function eraseCustomers(deps: Deps): Promise<number> {
  let customers = 0;
  for (let after: CustomerRef | undefined = FIRST; after !== undefined; ) {
    const page = await selectUnredacted(deps.db, after);
    const next = page.filter(({ isMerged }) => !isMerged);
    for (const { id } of next)
      await deps.db.tx((tx) => redactCustomer(tx, deps, { customerId: id, appReference: "pointkeeper" }));
    customers += next.length;
    after = page.at(-1);
  }
  return customers;
}

/** Erases every order that has an e-mail, once through all of them. Returns whether there was one. */
async function eraseOrderEmails(deps: Deps): Promise<boolean> {
  for (let after = ""; ; ) {
    const from = after;
    const last = await deps.db.tx((tx) => eraseNextOrders(tx, from));
    if (last === undefined) return from !== "";
    after = last;
  }
}

/** Returns the last one that was erased; undefined: none is left. */
async function eraseNextOrders(tx: Tx, after: string): Promise<string | undefined> {
  const orderIds = (await tx.query<{ id: string }>(NEXT_ORDERS, [after])).map(({ id }) => id);
  if (orderIds.length > 0) await eraseOrders(tx, { refs: [], orderIds, emails: [] });
  return orderIds.at(-1);
}
