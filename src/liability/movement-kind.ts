import type { AllotmentType } from "../ledger/allotment-types.ts";
import { ORIGINS } from "../wire/allotment-choices.ts";
import type { MovementKind } from "../wire/liability.ts";

/** The facts of a movement in the ledger that decide its kind. */
export interface MovementFacts {
  readonly type: AllotmentType;
  readonly isGain: boolean;
  /** The first part of the natural key: `merge` of `merge/<customer>`. */
  readonly source: string;
}

/** Natural keys of allotments that return points which staff or a file had taken, because that change was undone. */
const UNDOING = ["undo", "csv_undo"];

/** The accountant's kind of a movement. Every movement has exactly one kind, so the kinds sum to the points outstanding. */
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

/** The types of allotments whose movements can be of a kind; a list of that kind reads only these. */
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

/** The origin of points for which none was given. */
export const UNSTATED = "unstated";

export const LIABILITY_ORIGINS = [...ORIGINS, UNSTATED] as const;
