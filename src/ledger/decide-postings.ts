import { ALLOTMENT_TYPES, POINTS_MAX } from "./allotment-types.ts";
import { compareInstants } from "./compare-instants.ts";
import { balanceExpiry, returnedOwnDate } from "./expiry/expiry.ts";
import type { HoldEnd } from "./holds/hold.ts";
import {
  boundsAfter,
  burnLots,
  duePoints,
  expiryAfter,
  type LotBurner,
  LotWindowExceeded,
  lotBounds,
  lotBurner,
  lotChanges,
  openLots,
  redateLots,
} from "./lots/lot-burner.ts";
import { type Draw, type Lot, returnSlices } from "./lots/lots.ts";
import { openedLots, startOf } from "./lots/opened-lots.ts";
import {
  type Allotment,
  type BalanceAfter,
  type CustomerChange,
  type CustomerInput,
  type CustomerLedger,
  type DecisionContext,
  nextAllottedAt,
  type Outcome,
  type Posting,
  plainPosting,
} from "./posting.ts";

/**
 * Decides the postings of one customer in memory, one after the other; a refusal does not affect the others. Holds that are over and points
 * that are due to expire come first (program.md 3 and 5). Returns null if the window has too few lots: read a larger window and decide
 * again.
 */
export function decidePostings(input: CustomerInput, context: DecisionContext): CustomerChange | null {
  try {
    return decide(input, context);
  } catch (thrown) {
    if (thrown instanceof LotWindowExceeded) return null;
    throw thrown;
  }
}

function decide(input: CustomerInput, context: DecisionContext): CustomerChange {
  const state = startState(input, context);
  const ends = input.holdEnds ?? [];
  endHolds(state, ends);
  expireDue(state, context.now);
  uncover(
    state,
    ends.reduce((sum, { captured }) => sum + captured, 0n),
  );
  const outcomes: Outcome[] = [];
  for (const posting of input.postings) {
    const outcome = decideOne(state, posting, input);
    outcomes.push(outcome);
  }
  freeUncaptured(state, ends);
  return finish(state, outcomes, ends);
}

/**
 * Frees the points of ended holds, each at its own time, even if that has passed. What expired between two of them comes in between. Points
 * whose date passed while they were held return with a new date (program.md 3).
 */
function endHolds(state: State, ends: readonly HoldEnd[]): void {
  for (const { points, captured, at } of ends) {
    expireDue(state, at);
    if (captured > 0n) continue; // the rest is free once the captured points were taken
    uncover(state, points);
    redateFreed(state, at);
  }
}

/** Frees what a capture left of its hold. The captured points burnt first: they are the ones whose date passed while they were held. */
function freeUncaptured(state: State, ends: readonly HoldEnd[]): void {
  for (const { points, captured, at } of ends) {
    if (captured === 0n) continue;
    uncover(state, points - captured);
    redateFreed(state, at);
  }
}

function uncover(state: State, points: bigint): void {
  state.after = { ...state.after, heldPoints: state.after.heldPoints - points };
}

function redateFreed(state: State, at: Temporal.Instant): void {
  const { burner, context } = state;
  const passed = uncovered(state, at);
  if (passed === 0n) return;
  const { activeAt } = state.after;
  const dateOf = (lot: Lot) => returnedOwnDate(lot, activeAt, at, context.rules);
  redateLots(burner, passed, activeAt, dateOf);
  state.isRedated = true;
  state.after = { ...state.after, ...lotBounds(burner) };
}

/** Writes off the points that have reached their date at `at`, except held points. */
function expireDue(state: State, at: Temporal.Instant): void {
  const points = uncovered(state, at);
  if (points === 0n) return;
  const posting: Posting = {
    ...plainPosting(state.context.nextUid(), "expiration", "pointkeeper", {
      kind: "add",
      pointValue: -points,
      shortfall: "refuse",
    }),
    sourceKey: `expiration/${state.after.customerUid}/${state.after.version + 1n}`,
    reasonType: "expiration",
  };
  write(state, posting, -points, []);
}

function decideOne(state: State, posting: Posting, input: CustomerInput): Outcome {
  const known = posting.isFirst === true ? null : countedBefore(state, posting);
  if (known !== null) return known;
  if (posting.change.kind === "close") uncover(state, state.after.heldPoints);
  const available = state.after.ledgerPoints - state.after.heldPoints;
  const requested = requestedValue(posting, available);
  let value = requested;
  if (requested < 0n && available + requested < 0n) {
    if (posting.change.kind !== "add" || posting.change.shortfall === "refuse") return refused("negative_balance");
    value = -available;
    if (posting.change.shortfall === "owe") owe(state, value - requested);
  }
  if (state.after.ledgerPoints + value > POINTS_MAX) return refused("balance_limit");
  if (value === 0n && posting.change.kind !== "set") return { kind: "nothing", balance: balanceAfter(state) };
  const slices = slicesOf(posting, input);
  const allotment = write(state, posting, value, slices);
  if (posting.change.kind === "set") settleDebt(state, allotment);
  payDebt(state, posting, value);
  const balance = balanceAfter(state);
  const outcome: Outcome = {
    kind: "posted",
    uid: posting.uid,
    version: allotment.version,
    pointValue: value,
    allottedAt: allotment.allottedAt,
    balance,
  };
  if (posting.isFirst !== true) {
    state.counted ??= new Map();
    state.counted.set(posting.sourceKey, outcome);
  }
  return outcome;
}

function countedBefore({ counted, context }: State, { sourceKey }: Posting): Outcome | null {
  const known = counted?.get(sourceKey) ?? context.counted.get(sourceKey);
  if (known?.kind !== "posted" && known?.kind !== "duplicate") return null;
  return { kind: "duplicate", uid: known.uid, version: known.version, pointValue: known.pointValue };
}

function requestedValue(posting: Posting, available: bigint): bigint {
  const { change } = posting;
  if (change.kind === "close") return -available;
  return change.kind === "set" ? change.balance - available : change.pointValue;
}

function refused(code: "negative_balance" | "balance_limit"): Outcome {
  return { kind: "refused", code };
}

function slicesOf({ change }: Posting, { drawsOf, drawsOfMerged }: CustomerInput): readonly Draw[] {
  if (change.kind === "carry") return change.slices;
  if (change.kind !== "give_back") return [];
  const { of, ofVersion, skip, pointValue } = change;
  const known = of === undefined ? drawsOf : drawsOfMerged?.get(of.customerUid);
  const slices = returnSlices(known?.get(ofVersion) ?? [], skip, pointValue);
  if (slices === null) throw new Error(`allotment ${ofVersion} did not draw the points that would come back`);
  return slices;
}

/** Records the debt of the setting `owe`: it stays on the balance and is taken from later awards. */
function owe(state: State, points: bigint): void {
  state.after = { ...state.after, owedPoints: state.after.owedPoints + points };
}

/** Clears the debt: setting a balance states its value, so nothing is taken from it for an earlier debt. */
function settleDebt(state: State, allotment: Allotment): void {
  const settledDebt = state.after.owedPoints;
  if (settledDebt === 0n) return;
  state.allotments[state.allotments.indexOf(allotment)] = { ...allotment, settledDebt };
  state.after = { ...state.after, owedPoints: 0n };
}

function payDebt(state: State, posting: Posting, value: bigint): void {
  const owed = state.after.owedPoints;
  if (owed === 0n || value <= 0n || posting.change.kind !== "add" || !ALLOTMENT_TYPES[posting.type].earns) return;
  const paid = owed < value ? owed : value;
  const taking: Posting = {
    ...plainPosting(state.context.nextUid(), "refund", posting.appReference, {
      kind: "add",
      pointValue: -paid,
      shortfall: "refuse",
    }),
    sourceKey: `owed/${posting.uid}`,
    reasonType: "refund",
    drawFirst: [state.after.version],
  };
  state.after = { ...state.after, owedPoints: owed - paid };
  write(state, taking, -paid, []);
}

/** Adds one allotment with its lots or draws to the change. */
function write(state: State, posting: Posting, value: bigint, slices: readonly Draw[]): Allotment {
  const version = state.after.version + 1n;
  const allottedAt = nextAllottedAt(state.after, state.context, slices);
  const extendsNow = posting.extends === "always" || (posting.extends === "credit" && value > 0n);
  const burnt = value < 0n ? burnLots(state.burner, -value, posting.drawFirst, state.after.activeAt) : [];
  for (const draw of burnt) state.draws.push({ ...draw, byVersion: version });
  const dateOf = (lot: Lot) => returnedOwnDate(lot, state.after.activeAt, state.context.now, state.context.rules);
  const since = startOf(posting, allottedAt, state.context.rules);
  const opened = openedLots(posting, value, slices, { version, since, extends: extendsNow, dateOf });
  openLots(state.burner, opened);
  const balanceAfter = state.after.ledgerPoints + value;
  const earns = extendsNow && value > 0n && ALLOTMENT_TYPES[posting.type].earns;
  state.after = {
    ...state.after,
    ledgerPoints: balanceAfter,
    version,
    lastAllottedAt: allottedAt,
    activeAt: extendsNow ? allottedAt : state.after.activeAt,
    earnedAt: state.after.earnedAt ?? (earns ? allottedAt : null),
    ...boundsAfter(state.burner, state.after, value < 0n, opened),
  };
  const allotment = { version, posting, pointValue: value, balanceAfter, allottedAt, extends: extendsNow };
  state.allotments.push(allotment);
  return allotment;
}

function finish(state: State, outcomes: Outcome[], holdEnds: readonly HoldEnd[]): CustomerChange {
  const { opened, changed, usedUp } = lotChanges(state.burner);
  const expiresAt = shownExpiry(state);
  state.counted?.forEach((outcome, key) => void state.context.counted.set(key, outcome));
  return {
    after: state.after,
    allotments: state.allotments,
    draws: state.draws,
    lotsOpened: opened,
    lotsChanged: changed,
    lotsUsedUp: usedUp,
    outcomes,
    holdEnds,
    isRedated: state.isRedated,
    expiresAt,
  };
}

/** The state of one customer while its postings are decided. */
interface State {
  readonly context: DecisionContext;
  readonly before: CustomerLedger;
  readonly burner: LotBurner;
  readonly allotments: Allotment[];
  readonly draws: (Draw & { byVersion: bigint })[];
  /** The outcomes of this customer's postings so far, by natural key; undefined: there are none. */
  counted: Map<string, Outcome> | undefined;
  after: CustomerLedger;
  isRedated: boolean;
}

/** The state before the first decision. */
function startState(input: CustomerInput, context: DecisionContext): State {
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

/** Points that have reached their date at a moment and are not held; holds keep the points that burn first. */
function uncovered(state: State, at: Temporal.Instant): bigint {
  const { after, burner, context } = state;
  const soonest = balanceExpiry(after, context.rules);
  if (soonest === null || compareInstants(soonest, at) > 0) return 0n; // the row's bounds tell without the lots
  const due = duePoints(burner, at, after.activeAt);
  return due > after.heldPoints ? due - after.heldPoints : 0n;
}

/** The balance that the customer sees at this point. */
function balanceAfter(state: State): BalanceAfter {
  const { ledgerPoints, heldPoints, owedPoints: owed, version } = state.after;
  return { points: ledgerPoints - heldPoints, owed, expiresAt: shownExpiry(state), version };
}

/** The next expiry from the row's bounds, unless a hold keeps points beyond their date. */
function shownExpiry({ after, burner, context }: State): Temporal.Instant | null {
  const soonest = balanceExpiry(after, context.rules);
  if (soonest === null || compareInstants(soonest, context.now) > 0) return soonest;
  return expiryAfter(burner, context.now, after.activeAt);
}
