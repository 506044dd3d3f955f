import type { Deps } from "../../deps.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { type Expiry, type ExpiryRules, upcomingExpiries } from "../../ledger/expiry/expiry.ts";
import { readCurrentBalance } from "../../ledger/read/read-current-balance.ts";
import { readProgram } from "../../program/read-program.ts";

/** Returns the upcoming expiries of a customer as of now, soonest first; empty if nothing expires (program.md 5). */
export async function readExpiries(deps: Pick<Deps, "clock" | "db">, customer: CustomerRef): Promise<Expiry[]> {
  const { expiration, store } = await readProgram(deps.db);
  const rules: ExpiryRules = { ...expiration, timeZone: store.timeZone };
  const now = deps.clock.now();
  const current = await readCurrentBalance(deps.db, customer, rules, now);
  if (current === undefined) return [];
  return upcomingExpiries({ ...current.ledger, lots: current.lots }, rules, now);
}
