import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { ExpiryRules } from "../ledger/expiry.ts";
import { type CustomerMetrics, changeBetween, expiringText, metricsOf, NO_METRICS } from "./customer-metrics.ts";
import {
  addToSums,
  keepLarge,
  selectBalances,
  selectCustomerMetrics,
  writeCustomerMetrics,
} from "./customer-queries.ts";

/** Replaces the customers' stored metrics by those of their present balances, and changes the sums by the difference. The caller has locked the state. */
export async function refreshCustomers(tx: Tx, customers: readonly CustomerRef[], rules: ExpiryRules): Promise<void> {
  if (customers.length === 0) return;
  const isSliding = rules.mode === "sliding";
  const [balances, counted] = await Promise.all([
    selectBalances(tx, customers, { isSliding }),
    selectCustomerMetrics(tx, customers),
  ]);
  await keepLarge(tx, customers, balances);
  const changes = customers.flatMap((customer) => {
    const balance = balances.get(customer.customerUid);
    const before = counted.get(customer.customerUid) ?? NO_METRICS;
    const metrics = balance === undefined ? NO_METRICS : metricsOf(balance, rules);
    return isSame(before, metrics) ? [] : [{ customer, before, metrics }];
  });
  if (changes.length === 0) return;
  await writeCustomerMetrics(tx, changes);
  await addToSums(tx, changeBetween(changes.map(({ before, metrics }) => [before, metrics])));
}

function isSame(a: CustomerMetrics, b: CustomerMetrics): boolean {
  return (
    a.activeOn === b.activeOn &&
    a.pointsClass === b.pointsClass &&
    expiringText(a.expiring) === expiringText(b.expiring)
  );
}
