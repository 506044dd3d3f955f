import type { AllotmentType } from "../ledger/allotment-types.ts";
import { ORIGINS } from "../wire/allotment-choices.ts";
import type { MovementKind } from "../wire/liability.ts";

/** What moved in the ledger, as far as its kind depends on it. */
export interface MovementFacts {
  readonly type: AllotmentType;
  readonly isGain: boolean;
  /** The first part of the natural key: `merge` of `merge/<customer>`. */
  readonly source: string;
}

/** Natural keys under which points come back that staff or a file took: undoing what was done. */
const UNDOING = ["undo", "csv_undo"];

/** What a movement is to the accountant. Every movement has exactly one kind, so that the kinds sum to what is outstanding. */
export function movementKindOf({ type, isGain, source }: MovementFacts): MovementKind {
  if (source === "merge") return isGain ? "moved_in" : "moved_out";
  switch (type) {
    case "coupon_reimbursement":
    case "coupon_cancellation":
      return isGain ? "returned" : "redeemed";
    case "expiration":
      return "expired";
    case "deletion":
      return "forfeited";
    case "api":
    case "flow":
      return isGain ? "issued" : "redeemed";
    case "fulfillment":
    case "tax":
    case "refund":
    case "reward":
      return isGain ? "issued" : "taken_back";
    case "csv":
    case "manual":
      if (!isGain) return "corrected";
      return UNDOING.includes(source) ? "restored" : "issued";
  }
}

/** Types whose movements may be of a kind: what a list of them looks through. */
export function typesOfKind(kind: MovementKind): readonly AllotmentType[] {
  switch (kind) {
    case "issued":
      return ["fulfillment", "tax", "refund", "reward", "api", "flow", "csv", "manual"];
    case "returned":
      return ["coupon_reimbursement", "coupon_cancellation"];
    case "redeemed":
      return ["api", "flow", "coupon_reimbursement", "coupon_cancellation"];
    case "expired":
      return ["expiration"];
    case "forfeited":
      return ["deletion"];
    case "taken_back":
      return ["refund"];
    case "restored":
    case "corrected":
      return ["csv", "manual"];
    case "moved_in":
    case "moved_out":
      return ["manual"];
  }
}

/** Of points whose origin nobody stated. */
export const UNSTATED = "unstated";

export const LIABILITY_ORIGINS = [...ORIGINS, UNSTATED] as const;
