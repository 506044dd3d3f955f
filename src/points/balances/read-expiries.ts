import type { Deps } from "../../deps.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { type Expiry, type ExpiryRules, upcomingExpiries } from "../../ledger/expiry.ts";
import { readSettled } from "../../ledger/read-settled.ts";
import { readProgram } from "../../program/read-program.ts";

/** The upcoming expiries of a customer at this moment, soonest first; empty where nothing expires (program.md 5). */
export async function readExpiries(deps: Pick<Deps, "clock" | "db">, customer: CustomerRef): Promise<Expiry[]> {
  const { expiration, store } = await readProgram(deps.db);
  const rules: ExpiryRules = { ...expiration, timeZone: store.timeZone };
  const now = deps.clock.now();
  const settled = await readSettled(deps.db, customer, rules, now);
  if (settled === undefined) return [];
  return upcomingExpiries({ ...settled.ledger, lots: settled.lots }, rules, now);
}
