import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { readProgram } from "../shop/read-program.ts";
import { type Advancement, advancement } from "./advancement.ts";
import { nextCheckAfter, windowOf } from "./check-dates.ts";
import { selectSpent, selectTier } from "./tier-queries.ts";
import { type Standing, standingOf } from "./tier-update.ts";

export interface TierRecord extends Standing {
  readonly storefrontId: string;
  readonly currency: string;
  readonly advancement: Advancement;
}

/**
 * The tier record of the customer that a request names (interface.md 2.6, program.md 6): toward the next check, over the spend
 * of its window so far. Throws `customer_not_found`, `ambiguous_email`.
 */
export async function readTier(deps: Pick<Deps, "db" | "clock">, named: string): Promise<TierRecord> {
  const { db, clock } = deps;
  const [customer, program] = await Promise.all([findCustomer(db, named), readProgram(db)]);
  const { timeZone, currency } = program.store;
  const deadline = nextCheckAfter(clock.now(), program.tiers, timeZone);
  const [stored, spent] = await Promise.all([
    selectTier(db, customer),
    selectSpent(db, customer, windowOf(deadline, program.tiers, timeZone)),
  ]);
  const standing = standingOf(program.tiers.rules, stored);
  return {
    ...standing,
    storefrontId: customer.storefrontId,
    currency,
    advancement: advancement(program.tiers.rules, { present: standing.tier, spent, deadline }),
  };
}
