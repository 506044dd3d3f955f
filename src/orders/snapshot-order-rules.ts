import type { CustomerRow } from "../customers/customer.ts";
import type { Tx } from "../db/pool.ts";
import { staleRead } from "../db/stale-read.ts";
import { LOCK_PROGRAM_SHARED } from "../program/program-queries.ts";
import { readProgramValidAt } from "../program/read-program-valid-at.ts";
import { processedAt } from "./facts/order-facts.ts";
import type { OrderRules } from "./plan/order-rules.ts";
import { readOrderRules } from "./read-order-rules.ts";
import { type StoreOrder, snapshotName } from "./store-order.ts";

export interface OrderSnapshot {
  readonly rules: OrderRules;
  readonly rulesFor: string;
  /** Call it once the customer's balance is locked: it makes the transaction start over if the rules have changed by then. */
  readonly confirm: () => Promise<void>;
}

/**
 * Returns the rules by which an order earns (program.md 4, Snapshot): those stored with it or, if it has none for this customer and this
 * processed time, new ones: program, tier and excluded tags as of then. So a guest's order that finds its customer earns at that customer's
 * tier, and it does not matter which of its events came first. An order whose `rulesFor` is null takes them again, because their data has
 * changed for that time.
 *
 * Code that changes a tier or tags, or imports points or spend of another app, does so under the customer's balance lock and requests a
 * review of the existing orders (`request-order-reviews`). An order that is not visible then, because its transaction is still open, sees the
 * change through `confirm`. A program for the past is created under a lock on its table, after every order that was evaluated without it
 * has been written.
 */
export async function snapshotOrderRules(
  tx: Tx,
  order: StoreOrder,
  customer: CustomerRow | null,
): Promise<OrderSnapshot> {
  const instant = processedAt(order.facts) ?? order.receivedAt;
  const rulesFor = snapshotName(customer, instant);
  if (order.rules !== null && order.rulesFor === rulesFor) {
    return { rules: order.rules, rulesFor, confirm: async () => {} };
  }
  await tx.execute(LOCK_PROGRAM_SHARED);
  const program = await readProgramValidAt(tx, instant);
  const input = { program, customer, instant, namedId: order.facts.stated.customerId, receivedAt: order.receivedAt };
  const read = async (): Promise<OrderRules> => {
    const [found] = await readOrderRules(tx, [input]);
    if (found === undefined) throw new Error("an order has no rules");
    return found;
  };
  const rules = await read();
  const confirm = async (): Promise<void> => {
    const again = await read();
    const isSame =
      again.tier.uid === rules.tier.uid &&
      again.isCustomerExcluded === rules.isCustomerExcluded &&
      again.movedIn.points === rules.movedIn.points &&
      again.movedIn.spend === rules.movedIn.spend;
    if (!isSame) throw staleRead(`what order ${order.orderId} is evaluated by changed meanwhile`);
  };
  return { rules: { ...rules, products: order.rules?.products ?? rules.products }, rulesFor, confirm };
}
