import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { readBalances } from "../ledger/read-balances.ts";
import type { Origin, ReasonType } from "../wire/allotment-choices.ts";
import { type Made, makeAdjustment } from "./make-adjustment.ts";
import { readWantedChange } from "./read-wanted-change.ts";

/** What a person asks of a customer's balance: exactly one of `pointValue`, `balance` and `undo`. */
export interface PointsWanted {
  readonly requestUid: string;
  readonly pointValue?: number | undefined;
  readonly balance?: number | undefined;
  /** The allotment to undo. */
  readonly undo?: string | undefined;
  readonly extends?: boolean | undefined;
  readonly origin?: Origin | null | undefined;
  readonly reasonType?: ReasonType | null | undefined;
  readonly note?: string | null | undefined;
}

export interface AdjustedBalance {
  readonly made: Made;
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
  wanted: PointsWanted,
  staff: { readonly uid: string; readonly name: string },
): Promise<AdjustedBalance> {
  return deps.db.tx(async (tx) => {
    const customer = await findCustomer(tx, named);
    const change = await readWantedChange(tx, customer, wanted, deps.clock.now());
    const adjustment = {
      uid: wanted.requestUid,
      customer,
      change,
      extends: wanted.extends ?? false,
      origin: wanted.origin ?? null,
      reasonType: wanted.reasonType ?? null,
      note: wanted.note ?? null,
      actor: staff.name,
    };
    const asking = { staffUid: staff.uid, storefrontId: customer.storefrontId };
    const made = await makeAdjustment(tx, deps, adjustment, asking);
    const balance = (await readBalances(deps, tx, [customer])).get(customer.customerUid);
    return { made, points: balance?.points ?? 0n, expiresAt: balance?.expiresAt ?? null };
  });
}
