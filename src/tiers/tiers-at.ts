import type { Queryable } from "../db/pool.ts";
import type { Program, TierRule } from "../program/program.ts";
import { type CustomerMoment, selectTiersAt } from "./tier-queries.ts";
import { presentTier } from "./tier-update.ts";

/**
 * Returns the tiers that customers had at instants (program.md 4, snapshot), in the order of `moments`, each as a rule of the program that
 * was valid then; the default tier of that program if it does not know the tier.
 */
export async function tiersAt(
  queryable: Queryable,
  moments: readonly (CustomerMoment & { readonly program: Program })[],
): Promise<readonly TierRule[]> {
  const uids = await selectTiersAt(queryable, moments);
  return moments.map(({ program }, i) => presentTier(program.tiers.rules, uids[i] ?? null));
}
