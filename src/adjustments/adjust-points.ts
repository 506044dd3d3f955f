import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { readBalances } from "../ledger/read-balances.ts";
import type { AdjustmentInput } from "./adjustment.ts";
import { type AdjustmentResult, makeAdjustment } from "./make-adjustment.ts";
import { readChange } from "./read-change.ts";

export interface AdjustedBalance {
  readonly made: AdjustmentResult;
  readonly points: bigint;
  readonly expiresAt: Temporal.Instant | null;
}

/**
 * Adds or takes points, sets the balance or undoes an adjustment in a person's name, once for a `requestUid`; above the program's limit it
 * becomes a request. Throws `customer_not_found`, `ambiguous_email`, `invalid`, `not_found` (of what is to be undone), `negative_balance`,
 * `balance_limit`, `idempotency_mismatch`.
 */
export async function adjustPoints(
  deps: Pick<Deps, "db" | "clock" | "random" | "wake" | "config">,
  named: string,
  input: AdjustmentInput,
  staff: { readonly uid: string; readonly name: string },
): Promise<AdjustedBalance> {
  return deps.db.tx(async (tx) => {
    const customer = await findCustomer(tx, named);
    const change = await readChange(tx, customer, input, deps.clock.now());
    const adjustment = {
      uid: input.requestUid,
      customer,
      change,
      extends: input.extends ?? false,
      origin: input.origin ?? null,
      reasonType: input.reasonType ?? null,
      note: input.note ?? null,
      actor: staff.name,
    };
    const asking = { staffUid: staff.uid, storefrontId: customer.storefrontId };
    const made = await makeAdjustment(tx, deps, adjustment, asking);
    const balance = (await readBalances(deps, tx, [customer])).get(customer.customerUid);
    return { made, points: balance?.points ?? 0n, expiresAt: balance?.expiresAt ?? null };
  });
}
