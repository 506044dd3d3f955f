import type { CustomerRow } from "../customers/customer.ts";
import { selectCustomer } from "../customers/customer-queries.ts";
import { isEmptied } from "../customers/profile/update-causes.ts";
import { readAwaiting } from "../customers/read-awaiting.ts";
import type { Tx } from "../db/pool.ts";
import type { LockedBalance } from "../ledger/balance-queries.ts";
import type { OrderUpdate } from "./order-write-queries.ts";

/**
 * Returns the customer whose balance becomes active by an order that gives points after its pending days (program.md 7): it has no points and awaits
 * none from another order, has once earned some, and the account is enabled. null: it does not, or it was active before. The balance is locked, and
 * the order is not written yet.
 */
export async function findActivated(tx: Tx, order: OrderUpdate, balance: LockedBalance): Promise<CustomerRow | null> {
  const givesLater = order.dueAt !== null && order.awardablePoints > order.awardedPoints;
  if (!givesLater || !isEmptied(balance)) return null;
  if ((await readAwaiting(tx, [balance])).size > 0) return null;
  const customer = await selectCustomer(tx, balance);
  return customer === undefined || customer.accountEnabled === false ? null : customer;
}
