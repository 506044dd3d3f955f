import type { CustomerRef } from "../ledger/customer-ref.ts";
import { type Change, type Posting, plainPosting } from "../ledger/posting.ts";
import type { Origin, ReasonType } from "../wire/allotment-choices.ts";

/** An adjustment of a person, with the data that undoing it needs. */
export interface Undoable extends CustomerRef {
  readonly uid: string;
  readonly version: bigint;
  readonly pointValue: bigint;
  /** The holder's allotments that have what is left of it: others than itself if its customer was merged. */
  readonly ownVersions: readonly bigint[];
  /** For an addition: the points that have expired or are due to. They are already gone, and undoing does not take other points instead. */
  readonly expired: bigint;
}

/** A change of a balance, as a person enters it: exactly one of `pointValue`, `balance` and `undo`. */
export interface AdjustmentInput {
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

/** A change of a balance: a difference, a new balance, or undoing an earlier adjustment. */
export type AdjustmentChange =
  | { readonly kind: "add"; readonly pointValue: bigint }
  | { readonly kind: "set"; readonly balance: bigint }
  | { readonly kind: "undo"; readonly of: Undoable };

export interface Adjustment {
  /** Created by the form when it opened, so that a second click is the same adjustment. Its request has the same uid. */
  readonly uid: string;
  readonly customer: CustomerRef;
  readonly change: AdjustmentChange;
  /** Whether added points extend the sliding expiry. */
  readonly extends: boolean;
  readonly origin: Origin | null;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  /** The requester's name. */
  readonly actor: string;
}

/** The `app_reference` of allotments that people post in the dashboard. */
export const DASHBOARD = "dashboard";

/** The natural key of an adjustment: its own uid, or for an undo that of the undone allotment, which can be undone once. */
function adjustmentKey({ uid, change }: Pick<Adjustment, "uid" | "change">): string {
  return change.kind === "undo" ? undoKey(change.of.uid) : `${MANUAL_KEY}${uid}`;
}

export const MANUAL_KEY = "manual/";

function undoKey(allotmentUid: string): string {
  return `undo/${allotmentUid}`;
}

/**
 * The posting of an adjustment (program.md 3: type `manual`). Undoing a deduction returns its points as lots with their old date, start and origin.
 * Undoing an addition takes its own points first, then others, at most what is available and has not expired.
 */
export function adjustmentPosting(allotmentUid: string, adjustment: Adjustment): Posting {
  const { customer, change } = adjustment;
  const posting: Posting = {
    ...plainPosting(allotmentUid, "manual", DASHBOARD, ledgerChange(customer, change)),
    sourceKey: adjustmentKey(adjustment),
    origin: adjustment.origin,
    reasonType: adjustment.reasonType,
    note: adjustment.note,
    actor: adjustment.actor,
    extends: adjustment.extends ? "credit" : "never",
  };
  if (change.kind !== "undo") return posting;
  return {
    ...posting,
    object: `allotment-${change.of.uid}`,
    extends: "never",
    drawFirst: change.of.pointValue > 0n ? change.of.ownVersions : [],
  };
}

function ledgerChange(customer: CustomerRef, change: AdjustmentChange): Change {
  if (change.kind === "set") return change;
  if (change.kind === "add") return { ...change, shortfall: "refuse" };
  const { of } = change;
  if (of.pointValue > 0n) return { kind: "add", pointValue: -undoneAtMost(of), shortfall: "cap" };
  const back = { kind: "give_back", pointValue: -of.pointValue, ofVersion: of.version, skip: 0n } as const;
  return of.customerUid === customer.customerUid ? back : { ...back, of };
}

/** The maximum that undoing an addition may take. */
function undoneAtMost({ pointValue, expired }: Pick<Undoable, "pointValue" | "expired">): bigint {
  return pointValue - expired;
}

/** Whether an undo has nothing to take, because all of its points have expired. */
export function isAllExpired(change: AdjustmentChange): boolean {
  return change.kind === "undo" && change.of.pointValue > 0n && undoneAtMost(change.of) <= 0n;
}

/**
 * The points that an adjustment moves, which are compared with the person's allowance. Setting a balance also settles a debt, which gives the
 * customer as many points.
 */
export function movedValue({ kind }: Pick<AdjustmentChange, "kind">, pointValue: bigint, owedBefore: bigint): bigint {
  return kind === "set" ? pointValue + owedBefore : pointValue;
}

/** The points of an undone addition that were already spent and could not be taken, without expired ones; 0 for other changes. */
export function missingPoints(change: AdjustmentChange, pointValue: bigint): bigint {
  return change.kind === "undo" && change.of.pointValue > 0n ? undoneAtMost(change.of) + pointValue : 0n;
}
