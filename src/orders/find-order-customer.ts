import { createCustomers } from "../customers/create-customers.ts";
import type { CustomerRow } from "../customers/customer.ts";
import { selectByEmail, selectByStorefrontId, selectCustomer } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { StoreOrder } from "./store-order.ts";

// Held by a guest's order that looks for its customer and by a customer who looks for orders, so that one of them sees the other.
const LOCK_EMAIL = `select pg_advisory_xact_lock(hashtextextended('order-email/' || $1, 0))`;

/**
 * Returns the customer of an order (program.md 4): the customer it names, who is created if unknown; otherwise the customer it had;
 * otherwise the only customer with its e-mail. null: it waits. A deleted customer is returned too.
 */
export async function findOrderCustomer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  order: Pick<StoreOrder, "facts" | "customer">,
): Promise<CustomerRow | null> {
  const { customerId, email } = order.facts.stated;
  if (customerId) return named(tx, deps, customerId, order.facts.test);
  if (order.customer !== null) return (await selectCustomer(tx, order.customer)) ?? null;
  if (!email) return null;
  const known = await onlyOf(tx, email.toLowerCase());
  if (known !== null) return known;
  await tx.query(LOCK_EMAIL, [email.toLowerCase()]);
  return onlyOf(tx, email.toLowerCase());
}

async function onlyOf(tx: Tx, email: string): Promise<CustomerRow | null> {
  const [only, another] = await selectByEmail(tx, email);
  return only !== undefined && another === undefined ? only : null;
}

/** Returns the named customer. A test order creates no customer. */
async function named(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  storefrontId: string,
  isTest: boolean,
): Promise<CustomerRow | null> {
  const known = await selectByStorefrontId(tx, storefrontId);
  if (known !== undefined || isTest) return known ?? null;
  await createCustomers(tx, deps, [storefrontId]);
  const created = await selectByStorefrontId(tx, storefrontId);
  if (created === undefined) throw new Error("a customer's alias vanished");
  return created;
}
