import type { Origin, ReasonType } from "../wire/allotment-choices.ts";
import type { AllotmentType } from "./allotment-types.ts";
import { compareInstants } from "./compare-instants.ts";
import type { CustomerRef } from "./customer-ref.ts";
import type { ExpiryRules } from "./expiry/expiry.ts";
import type { HoldEnd } from "./holds/hold.ts";
import type { Draw, Lot } from "./lots/lots.ts";

/** How a posting changes the balance. */
export type Change =
  /** Adds a signed value. If the result would be below zero, `shortfall` decides: refused, capped or owed. */
  | { readonly kind: "add"; readonly pointValue: bigint; readonly shortfall: "refuse" | "cap" | "owe" }
  /** Sets the available balance to this value and clears the debt. The difference may be 0 and is recorded anyway. */
  | { readonly kind: "set"; readonly balance: bigint }
  /** Takes everything, including held points: the balance is merged into another, and its holds move with it. */
  | { readonly kind: "close" }
  /**
   * Returns points of an earlier deduction as new lots, without those that were returned before. `of`: the customer of the deduction, if that
   * customer has been merged into this one.
   */
  | {
      readonly kind: "give_back";
      readonly pointValue: bigint;
      readonly ofVersion: bigint;
      readonly skip: bigint;
      readonly of?: CustomerRef;
    }
  /** Adds points of a merged customer's lot as new lots with the lot's dates. */
  | { readonly kind: "carry"; readonly pointValue: bigint; readonly slices: readonly Draw[] };

/** One requested allotment. Its uid and key are created before the first attempt, so that a retry can be recognised. */
export interface Posting {
  readonly uid: string;
  /** The natural key of program.md 3; `api/<uid>` if the source has none. */
  readonly sourceKey: string;
  /** The caller knows that the source was not counted yet, so it is not looked up; the unique index would still refuse a duplicate. */
  readonly isFirst?: boolean;
  readonly change: Change;
  readonly type: AllotmentType;
  readonly appReference: string;
  readonly object: string | null;
  readonly parent: string | null;
  readonly action: string | null;
  readonly cascade: boolean | null;
  readonly origin: Origin | null;
  readonly reasonType: ReasonType | null;
  readonly note: string | null;
  readonly actor: string | null;
  /** When it extends the sliding expiry: when it adds points, always, never (program.md 5). */
  readonly extends: "credit" | "always" | "never";
  /** The own date of the lot that it opens; no setting and no activity moves it. */
  readonly expiresAt: Temporal.Instant | null;
  /**
   * When the points were earned, before they are allotted: if each allotment expires by itself, the computed date counts from then. Absent: when
   * they are allotted. Only for points added by `add`.
   */
  readonly earnedAt?: Temporal.Instant | null;
  /** Versions of the allotments whose lots a deduction burns first. */
  readonly drawFirst: readonly bigint[];
  /** The trace of its events; not written with the allotment. Absent: that of the current request, if any. */
  readonly traceparent?: string;
}

/** Returns a posting with default values, to be spread under the fields that differ. */
export function plainPosting(uid: string, type: AllotmentType, appReference: string, change: Change): Posting {
  return {
    uid,
    sourceKey: `api/${uid}`,
    change,
    type,
    appReference,
    object: null,
    parent: null,
    action: null,
    cascade: null,
    origin: null,
    reasonType: null,
    note: null,
    actor: null,
    extends: "never",
    expiresAt: null,
    drawFirst: [],
  };
}

/** A balance's row, read under its lock. */
export interface CustomerLedger {
  readonly bucket: number;
  readonly customerUid: string;
  readonly ledgerPoints: bigint;
  readonly heldPoints: bigint;
  /** When the first hold ends by itself; null: none does. */
  readonly heldUntil: Temporal.Instant | null;
  readonly owedPoints: bigint;
  readonly version: bigint;
  readonly lastAllottedAt: Temporal.Instant | null;
  readonly activeAt: Temporal.Instant | null;
  readonly oldestSince: Temporal.Instant | null;
  readonly soonestExpiresAt: Temporal.Instant | null;
  readonly earnedAt: Temporal.Instant | null;
}

/** The first lots of a balance in burn order; `more`: there are others behind the window. */
export interface LotWindow {
  readonly dated: readonly Lot[];
  readonly datedMore: boolean;
  readonly undated: readonly Lot[];
  readonly undatedMore: boolean;
  /** The lots named by `drawFirst`, in the window or not. */
  readonly named: readonly Lot[];
}

/** A window for which nothing was read yet. */
export const NO_LOTS_READ: LotWindow = { dated: [], datedMore: true, undated: [], undatedMore: true, named: [] };

/** The data that all decisions of a batch share. */
export interface DecisionContext {
  /** The time of the clock after the locks were taken. */
  readonly now: Temporal.Instant;
  /** Nothing is allotted at or before this instant: advance-settled-mark.ts. */
  readonly watermarkAt: Temporal.Instant | null;
  readonly rules: ExpiryRules;
  /** The sources that the store has already counted, by natural key; each decided customer adds its own. */
  readonly counted: Map<string, Outcome>;
  readonly nextUid: () => string;
}

export interface CustomerInput {
  readonly before: CustomerLedger;
  readonly lots: LotWindow;
  /** What earlier deductions drew, by version, for returned points. */
  readonly drawsOf: ReadonlyMap<bigint, readonly Draw[]>;
  /** The same for customers who were merged into this one, by their uid. */
  readonly drawsOfMerged?: ReadonlyMap<string, ReadonlyMap<bigint, readonly Draw[]>>;
  readonly postings: readonly Posting[];
  /** Holds that end before the postings, soonest first. The postings take the captured points. */
  readonly holdEnds?: readonly HoldEnd[];
}

/** An allotment as it is written. */
export interface Allotment {
  readonly version: bigint;
  readonly posting: Posting;
  readonly pointValue: bigint;
  readonly balanceAfter: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly extends: boolean;
  /** The debt that was cleared when the allotment set the balance; above 0. */
  readonly settledDebt?: bigint;
}

export type PostingRefusal = "negative_balance" | "balance_limit";

/** The balance that a customer sees after a posting. */
export interface BalanceAfter {
  readonly points: bigint;
  /** Points that will be taken from the next points earned (shortfall `owe`). */
  readonly owed: bigint;
  readonly expiresAt: Temporal.Instant | null;
  readonly version: bigint;
}

export type Outcome =
  | {
      readonly kind: "posted";
      readonly uid: string;
      readonly version: bigint;
      readonly pointValue: bigint;
      readonly allottedAt: Temporal.Instant;
      readonly balance: BalanceAfter;
    }
  /** The source was counted before. Names its allotment, which may belong to another customer. */
  | { readonly kind: "duplicate"; readonly uid: string; readonly version: bigint; readonly pointValue: bigint }
  /** Nothing could be taken (a capped deduction of an empty balance), so nothing is written. */
  | { readonly kind: "nothing"; readonly balance: BalanceAfter }
  | { readonly kind: "refused"; readonly code: PostingRefusal };

/** Everything one batch writes for one customer. */
export interface CustomerChange {
  readonly after: CustomerLedger;
  readonly allotments: readonly Allotment[];
  readonly draws: readonly (Draw & { readonly byVersion: bigint })[];
  readonly lotsOpened: readonly Lot[];
  readonly lotsChanged: readonly Lot[];
  readonly lotsUsedUp: readonly Lot[];
  readonly outcomes: readonly Outcome[];
  /** Ended holds. */
  readonly holdEnds: readonly HoldEnd[];
  /** Whether held points got another date. */
  readonly isRedated: boolean;
  /** When points of the balance next expire, without points that a hold keeps beyond their date. */
  readonly expiresAt: Temporal.Instant | null;
}

/**
 * Returns the time of the next allotment. It rises strictly with the version and stays above the watermark (program.md 3). It also stays above the
 * last activity, and above the start of the lots that come back or are carried (`slices`): after a merge these may be the other customer's, posted with
 * a clock ahead of this one. Activity never goes back, and no points come back before they began.
 */
export function nextAllottedAt(
  after: CustomerLedger,
  { now, watermarkAt }: Pick<DecisionContext, "now" | "watermarkAt">,
  slices: readonly Draw[],
): Temporal.Instant {
  const isWhole = now.epochNanoseconds % 1_000n === 0n; // as every clock of the service is; rounding costs more than asking
  let at = isWhole ? now : now.round({ smallestUnit: "microsecond", roundingMode: "trunc" });
  const rise = (least: Temporal.Instant | null) => {
    if (least !== null && compareInstants(least, at) >= 0) at = least.add({ microseconds: 1 });
  };
  for (const least of [after.lastAllottedAt, after.activeAt, watermarkAt]) rise(least);
  for (const { lot } of slices) rise(lot.since);
  return at;
}
