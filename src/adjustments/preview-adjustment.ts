import { adjustmentExcess, type Excess, movedAlike } from "../allowance/allowance.ts";
import { readMoved } from "../allowance/queries.ts";
import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import type { Outcome } from "../ledger/posting.ts";
import { previewPosting } from "../ledger/read/preview-posting.ts";
import { readBalances } from "../ledger/read/read-balances.ts";
import { readProgram } from "../program/read-program.ts";
import { type AdjustmentInput, adjustmentPosting, isAllExpired, missingPoints, movedValue } from "./adjustment.ts";
import { readChange } from "./read-change.ts";

interface SeenBalance {
  readonly points: bigint;
  readonly expiresAt: Temporal.Instant | null;
}

/** The effect of an adjustment. */
export interface AdjustmentPreview {
  readonly pointValue: bigint;
  /** For an undo: the points that were already spent. */
  readonly missing: bigint;
  /** For an undo: the expired points, which it does not take. */
  readonly expired: bigint;
  readonly before: SeenBalance;
  readonly after: SeenBalance;
  /** The limit that it exceeds, so that it needs a second person; null: neither. */
  readonly excess: Excess | null;
  /** The points that the person moved for the customer in the same direction within 24 hours, which count with it. */
  readonly earlier: bigint;
  /** The same for all customers. */
  readonly earlierOfDay: bigint;
  readonly refusal: "negative_balance" | "balance_limit" | "done_already" | "expired" | null;
}

/**
 * Returns balance and expiry as an adjustment would leave them, computed by the function that posts it but not written. Throws `customer_not_found`,
 * `ambiguous_email`, `invalid`, `not_found`.
 */
export async function previewAdjustment(
  deps: Pick<Deps, "db" | "clock" | "random">,
  named: string,
  input: Pick<AdjustmentInput, "pointValue" | "balance" | "undo" | "extends">,
  staffUid: string,
): Promise<AdjustmentPreview> {
  return deps.db.snapshot(async (tx) => {
    const customer = await findCustomer(tx, named);
    const change = await readChange(tx, customer, input, deps.clock.now());
    const asked = { customer, change, extends: input.extends ?? false };
    const unsaid = { origin: null, reasonType: null, note: null, actor: "" };
    const posting = adjustmentPosting("", { uid: "", ...asked, ...unsaid });
    const [outcome, balances, { staff }, moved] = await Promise.all([
      previewPosting(tx, deps, customer, posting),
      readBalances(deps, tx, [customer]),
      readProgram(tx),
      readMoved(tx, customer, { staffUid, now: deps.clock.now() }),
    ]);
    const before = balances.get(customer.customerUid) ?? { points: 0n, expiresAt: null };
    const expired = change.kind === "undo" ? change.of.expired : 0n;
    const unmoved = { excess: null, earlier: 0n, earlierOfDay: 0n };
    const nothing = { pointValue: 0n, missing: 0n, expired, before, after: before, ...unmoved };
    if (isAllExpired(change) && outcome?.kind !== "duplicate") return { ...nothing, refusal: "expired" };
    if (outcome?.kind !== "posted") return { ...nothing, refusal: refusalOf(outcome) };
    const { pointValue, balance: after } = outcome;
    const value = movedValue(change, pointValue, balances.get(customer.customerUid)?.owed ?? 0n);
    return {
      pointValue,
      missing: missingPoints(change, pointValue),
      expired,
      before,
      after,
      excess: adjustmentExcess(staff, value, moved),
      earlier: movedAlike(moved.customer, value),
      earlierOfDay: movedAlike(moved.day, value),
      refusal: null,
    };
  });
}

function refusalOf(outcome: Exclude<Outcome, { kind: "posted" }> | undefined): AdjustmentPreview["refusal"] {
  if (outcome?.kind === "refused") return outcome.code;
  return outcome?.kind === "duplicate" ? "done_already" : "negative_balance";
}
