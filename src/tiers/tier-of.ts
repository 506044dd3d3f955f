import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { TierRule } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { selectTier } from "./tier-queries.ts";
import { presentTier } from "./tier-update.ts";

/** Returns the customer's present tier, by the newest program. */
export async function tierOf(queryable: Queryable, customer: CustomerRef): Promise<TierRule> {
  const [program, { tierUid }] = await Promise.all([readProgram(queryable), selectTier(queryable, customer)]);
  return presentTier(program.tiers.rules, tierUid);
}
