import { recordAction } from "../../audit/record-action.ts";
import { findCustomer } from "../../customers/find-customer.ts";
import type { Deps } from "../../deps.ts";
import { lockLiveBalances } from "../../ledger/balance-queries.ts";
import { readProgram } from "../../program/read-program.ts";
import { selectTier } from "../../tiers/tier-queries.ts";
import { assignmentOf, type TierAssignment, type TierUpdate } from "../../tiers/tier-update.ts";
import { updateTier } from "../../tiers/update-tier.ts";

/**
 * Places a customer in a tier, sets the floor or lets the next check pass, in a person's name, and records the earlier state. Throws
 * `customer_not_found`, `ambiguous_email`, `invalid` naming the field.
 */
export async function placeCustomer(
  deps: Pick<Deps, "db" | "clock" | "random">,
  named: string,
  update: TierUpdate,
  staffName: string,
): Promise<TierAssignment> {
  return deps.db.tx(async (tx) => {
    const customer = await findCustomer(tx, named);
    await lockLiveBalances(tx, [customer]);
    const [stored, { tiers }] = await Promise.all([selectTier(tx, customer), readProgram(tx)]);
    const before = assignmentOf(tiers.rules, stored);
    const cause = { cause: "manual", actor: staffName } as const;
    const after = await updateTier(tx, deps, customer.storefrontId, { update, cause });
    const subject = { kind: "customer", id: customer.storefrontId };
    await recordAction(tx, deps, { action: "tier.placed", subject, before: said(before), after: said(after) });
    return after;
  });
}

function said({ tier, minimumTier, skipNextCheck }: TierAssignment) {
  return { tier: tier.name, minimum_tier: minimumTier?.name ?? null, skip_next_check: skipNextCheck };
}
