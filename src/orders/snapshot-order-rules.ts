import type { CustomerRow } from "../customers/customer.ts";
import type { Tx } from "../db/pool.ts";
import { readProgramAsOf } from "../shop/read-program-as-of.ts";
import { tierAt } from "../tiers/tier-at.ts";
import { defaultTier } from "../tiers/tier-rules.ts";
import { processedAt } from "./order-facts.ts";
import { type OrderRules, snapshotRules } from "./order-rules.ts";
import { type StoreOrder, snapshotName } from "./store-order.ts";

/**
 * The rules that an order earns by (program.md 4, Snapshot): those kept with it, or, where it has none for this customer and
 * this processed time, new ones: the program and the customer's tier as of then. So a guest's order that finds its customer
 * earns at that customer's tier, and it does not matter which of its events came first.
 */
export async function snapshotOrderRules(
  tx: Tx,
  order: StoreOrder,
  customer: CustomerRow | null,
): Promise<{ readonly rules: OrderRules; readonly rulesFor: string }> {
  const instant = processedAt(order.facts) ?? order.receivedAt;
  const rulesFor = snapshotName(customer, instant);
  if (order.rules !== null && order.rulesFor === rulesFor) return { rules: order.rules, rulesFor };
  const program = await readProgramAsOf(tx, instant);
  const tier = customer === null ? defaultTier(program.tiers.rules) : await tierAt(tx, customer, { program, instant });
  const rules = snapshotRules(program, tier, instant, customer?.tags ?? []);
  return { rules: { ...rules, products: order.rules?.products ?? rules.products }, rulesFor };
}
