import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { ExpiryRules } from "../ledger/expiry.ts";
import { changeBetween, expiringText, NOTHING, type Standing, standingOf } from "./customer-metrics.ts";
import { addToSums, keepLarge, selectBalances, selectStandings, writeStandings } from "./customer-queries.ts";

/** Counts customers as they stand now in place of what was counted of them. The caller has locked the state. */
export async function refreshCustomers(tx: Tx, customers: readonly CustomerRef[], rules: ExpiryRules): Promise<void> {
  if (customers.length === 0) return;
  const [balances, counted] = await Promise.all([selectBalances(tx, customers), selectStandings(tx, customers)]);
  await keepLarge(tx, customers, balances);
  const changes = customers.flatMap((customer) => {
    const balance = balances.get(customer.customerUid);
    const before = counted.get(customer.customerUid) ?? NOTHING;
    const standing = balance === undefined ? NOTHING : standingOf(balance, rules);
    return isSame(before, standing) ? [] : [{ customer, before, standing }];
  });
  if (changes.length === 0) return;
  await writeStandings(tx, changes);
  await addToSums(tx, changeBetween(changes.map(({ before, standing }) => [before, standing])));
}

function isSame(a: Standing, b: Standing): boolean {
  return a.activeOn === b.activeOn && expiringText(a.expiring) === expiringText(b.expiring);
}
