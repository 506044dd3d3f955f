import type { CustomerRef } from "../ledger/customer-ref.ts";
import { type Change, type Posting, plainPosting } from "../ledger/posting.ts";
import type { Origin, ReasonType } from "../wire/allotment-choices.ts";

/** An allotment that a person made, as far as undoing it needs to know it. */
export interface Undoable extends CustomerRef {
  readonly uid: string;
  readonly version: bigint;
  readonly pointValue: bigint;
  /** Where its customer was merged into another: the version of the allotment that brought what was left of it. */
  readonly carriedVersion: bigint | null;
  /** Of points that were added: those that have expired, or are due to. They are gone already, and undoing takes no others for them. */
  readonly expired: bigint;
}

/** What a person asks of a customer's balance: exactly one of `pointValue`, `balance` and `undo`. */
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

/** What a person wants of a balance: a difference, a balance, or an earlier adjustment taken back. */
export type AdjustmentChange =
  | { readonly kind: "add"; readonly pointValue: bigint }
  | { readonly kind: "set"; readonly balance: bigint }
  | { readonly kind: "undo"; readonly of: Undoable };

export interface Adjustment {
  /** Made by the form when it opened, so that a second click is the same adjustment; its request has it too. */
  readonly uid: string;
  readonly customer: CustomerRef;
  readonly change: AdjustmentChange;
  /** Whether points that it adds extend the sliding expiry. */
  readonly extends: boolean;
  readonly origin: Origin | null;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  /** The name of the person who asked. */
  readonly actor: string;
}

/** The `app_reference` of what people do in the dashboard. */
export const DASHBOARD = "dashboard";

/** The natural key of an adjustment: its own, or for an undo that of what is undone, which can be undone once. */
export function adjustmentKey({ uid, change }: Pick<Adjustment, "uid" | "change">): string {
  return change.kind === "undo" ? undoKey(change.of.uid) : `${MANUAL_KEY}${uid}`;
}

export const MANUAL_KEY = "manual/";

export function undoKey(allotmentUid: string): string {
  return `undo/${allotmentUid}`;
}

/**
 * The posting of an adjustment (program.md 3: type `manual`). Undoing a deduction gives its points back as lots with their old date,
 * start and origin; undoing points that were added takes those first, then others, at most what is available and has not expired.
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
    drawFirst: change.of.pointValue > 0n ? ownVersions(customer, change.of) : [],
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

/** What undoing an addition may take. */
export function undoneAtMost({ pointValue, expired }: Pick<Undoable, "pointValue" | "expired">): bigint {
  return pointValue - expired;
}

/** Whether an undo has nothing to take: all of it has expired. */
export function isAllExpired(change: AdjustmentChange): boolean {
  return change.kind === "undo" && change.of.pointValue > 0n && undoneAtMost(change.of) <= 0n;
}

function ownVersions(customer: CustomerRef, of: Undoable): bigint[] {
  if (of.customerUid === customer.customerUid) return [of.version];
  return of.carriedVersion === null ? [] : [of.carriedVersion];
}

/**
 * What an adjustment moves, by which it is held against what its person may move: setting a balance settles a debt too, which gives the
 * customer as many points.
 */
export function movedValue({ kind }: Pick<AdjustmentChange, "kind">, pointValue: bigint, owedBefore: bigint): bigint {
  return kind === "set" ? pointValue + owedBefore : pointValue;
}

/** What of an undone addition was spent already and could not be taken, expired points aside; 0 for everything else. */
export function missingPoints(change: AdjustmentChange, pointValue: bigint): bigint {
  return change.kind === "undo" && change.of.pointValue > 0n ? undoneAtMost(change.of) + pointValue : 0n;
}
