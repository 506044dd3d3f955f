import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Program, TierRule } from "../program/program.ts";
import { selectTierAt } from "./tier-queries.ts";
import { presentTier } from "./tier-update.ts";

/**
 * The tier that a customer had at an instant (program.md 4, snapshot), as a rule of the program that was valid then; the
 * default one of that program where it does not know the tier.
 */
export async function tierAt(
  queryable: Queryable,
  customer: CustomerRef,
  { program, instant }: { readonly program: Program; readonly instant: Temporal.Instant },
): Promise<TierRule> {
  return presentTier(program.tiers.rules, await selectTierAt(queryable, customer, instant));
}
