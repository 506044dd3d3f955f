import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { placeInTier, type TierCause } from "./place-in-tier.ts";
import { selectTier } from "./tier-queries.ts";
import { assignmentOf, type TierAssignment, type TierUpdate, updateAssignment } from "./tier-update.ts";

/**
 * Updates the tier of the customer that a request names (interface.md 4.10, program.md 2). Throws `invalid` (422) naming the
 * field, `customer_not_found`, `ambiguous_email`.
 */
export async function updateTier(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  named: string,
  { update, cause }: { readonly update: TierUpdate; readonly cause: TierCause },
): Promise<TierAssignment & { readonly storefrontId: string }> {
  const customer = await findCustomer(tx, named);
  await lockLiveBalances(tx, [customer]);
  const [program, stored] = await Promise.all([readProgram(tx), selectTier(tx, customer)]);
  const { rules } = program.tiers;
  const before = assignmentOf(rules, stored);
  const after = updateAssignment(rules, before, update);
  if ("detail" in after) throw new Problem("invalid", { faults: [after] });
  await placeInTier(tx, deps, customer, { before, after, cause });
  return { ...after, storefrontId: customer.storefrontId };
}
