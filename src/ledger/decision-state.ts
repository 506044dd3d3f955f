import { compareInstants } from "./compare-instants.ts";
import { balanceExpiry, type ExpiryRules } from "./expiry.ts";
import type { HoldEnd } from "./hold.ts";
import { duePoints, expiryAfter, type LotBurner, lotBounds, lotBurner, NEED_LOTS } from "./lot-burner.ts";
import type { Draw, Lot } from "./lots.ts";
import type { Allotment, BalanceAfter, CustomerLedger, LotWindow, Outcome, Posting } from "./posting.ts";

/** What every decision of a batch shares. */
export interface DecisionContext {
  /** The clock after the locks were taken. */
  readonly now: Temporal.Instant;
  /** Nothing is allotted at or before it: advance-settled-mark.ts. */
  readonly floorAt: Temporal.Instant | null;
  readonly rules: ExpiryRules;
  /** What the store has already counted, by natural key; each decided customer adds its own. */
  readonly counted: Map<string, Outcome>;
  readonly nextUid: () => string;
}

export interface CustomerInput {
  readonly before: CustomerLedger;
  readonly lots: LotWindow;
  /** What earlier deductions drew, by their version, for points that come back. */
  readonly drawsOf: ReadonlyMap<bigint, readonly Draw[]>;
  /** The same of customers who were merged into this one, by their uid. */
  readonly drawsOfMerged?: ReadonlyMap<string, ReadonlyMap<bigint, readonly Draw[]>>;
  readonly postings: readonly Posting[];
  /** Holds that end before the postings, soonest first. What is captured of them is what the postings take. */
  readonly holdEnds?: readonly HoldEnd[];
}

/** One customer while its postings are decided. */
export interface State {
  readonly context: DecisionContext;
  readonly before: CustomerLedger;
  readonly burner: LotBurner;
  readonly allotments: Allotment[];
  readonly draws: (Draw & { byVersion: bigint })[];
  /** What this customer's postings came to so far, by natural key; undefined: none did. */
  counted: Map<string, Outcome> | undefined;
  after: CustomerLedger;
  isRedated: boolean;
}

/** Before the first decision. */
export function startState(input: CustomerInput, context: DecisionContext): State {
  return {
    context,
    before: input.before,
    burner: lotBurner(input.lots, context.rules),
    allotments: [],
    draws: [],
    counted: undefined,
    after: input.before,
    isRedated: false,
  };
}

/** Points that have reached their date at a moment and that no hold keeps: holds keep those that burn first. */
export function uncovered(state: State, at: Temporal.Instant): bigint | typeof NEED_LOTS {
  const { after, burner, context } = state;
  const soonest = balanceExpiry(after, context.rules);
  if (soonest === null || compareInstants(soonest, at) > 0) return 0n; // the row's bounds tell without the lots
  const due = duePoints(burner, at, after.activeAt);
  if (due === NEED_LOTS) return NEED_LOTS;
  return due > after.heldPoints ? due - after.heldPoints : 0n;
}

/**
 * `allotted_at` rises strictly with the version, and stays above the floor (program.md 3). It stays above the last activity, too, which
 * after a merge may be the other customer's, posted by a clock ahead of this one: activity never goes back.
 */
export function nextAllottedAt(state: State): Temporal.Instant {
  const { now } = state.context;
  const isWhole = now.epochNanoseconds % 1_000n === 0n; // as every clock of the service is; rounding costs more than asking
  let at = isWhole ? now : now.round({ smallestUnit: "microsecond", roundingMode: "trunc" });
  for (const floor of [state.after.lastAllottedAt, state.after.activeAt, state.context.floorAt]) {
    if (floor !== null && compareInstants(floor, at) >= 0) at = floor.add({ microseconds: 1 });
  }
  return at;
}

/** The row's bounds, exact: from the lots after a burn, else by what was opened. */
export function boundsAfter(
  { burner, after }: State,
  isBurnt: boolean,
  opened: readonly Lot[],
): Pick<CustomerLedger, "oldestSince" | "soonestExpiresAt"> | typeof NEED_LOTS {
  if (isBurnt) return lotBounds(burner);
  let { oldestSince, soonestExpiresAt } = after;
  for (const lot of opened) {
    if (lot.expiresAt === null) oldestSince = earlier(oldestSince, lot.since);
    else soonestExpiresAt = earlier(soonestExpiresAt, lot.expiresAt);
  }
  return { oldestSince, soonestExpiresAt };
}

function earlier(a: Temporal.Instant | null, b: Temporal.Instant): Temporal.Instant {
  return a !== null && compareInstants(a, b) <= 0 ? a : b;
}

/** What the customer sees at this point. */
export function balanceAfter(state: State): BalanceAfter | typeof NEED_LOTS {
  const expiresAt = shownExpiry(state);
  if (expiresAt === NEED_LOTS) return NEED_LOTS;
  const { ledgerPoints, heldPoints, owedPoints: owed, version } = state.after;
  return { points: ledgerPoints - heldPoints, owed, expiresAt, version };
}

/** The row's bounds tell, unless something is kept for a hold beyond its date. */
export function shownExpiry({ after, burner, context }: State): Temporal.Instant | null | typeof NEED_LOTS {
  const soonest = balanceExpiry(after, context.rules);
  if (soonest === null || compareInstants(soonest, context.now) > 0) return soonest;
  return expiryAfter(burner, context.now, after.activeAt);
}
