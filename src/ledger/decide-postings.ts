import { ALLOTMENT_TYPES, POINTS_MAX } from "./allotment-types.ts";
import { balanceExpiry, type ExpiryRules, returnedOwnDate } from "./expiry.ts";
import {
  burnLots,
  duePoints,
  type LotBurner,
  lotBounds,
  lotBurner,
  lotChanges,
  NEED_LOTS,
  openLot,
} from "./lot-burner.ts";
import { type Draw, type Lot, returnSlices } from "./lots.ts";
import {
  type Allotment,
  type BalanceAfter,
  type CustomerChange,
  type CustomerLedger,
  type LotWindow,
  type Outcome,
  type Posting,
  plainPosting,
} from "./posting.ts";

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
  readonly postings: readonly Posting[];
}

/** A window of which nothing was read yet. */
export const NO_LOTS_READ: LotWindow = { dated: [], datedMore: true, undated: [], undatedMore: true, named: [] };

/**
 * Decides the postings of one customer one after the other, in memory; a refusal leaves its neighbours alone. What is due to
 * expire is posted first (program.md 5). Answers NEED_LOTS when the window is too small.
 */
export function decidePostings(input: CustomerInput, context: DecisionContext): CustomerChange | typeof NEED_LOTS {
  const state = startState(input, context);
  if (expireDue(state) === NEED_LOTS) return NEED_LOTS;
  const outcomes: Outcome[] = [];
  for (const posting of input.postings) {
    const outcome = decideOne(state, posting, input.drawsOf);
    if (outcome === NEED_LOTS) return NEED_LOTS;
    outcomes.push(outcome);
  }
  return finish(state, outcomes);
}

interface State {
  readonly context: DecisionContext;
  readonly before: CustomerLedger;
  readonly burner: LotBurner;
  readonly allotments: Allotment[];
  readonly draws: (Draw & { byVersion: bigint })[];
  readonly counted: Map<string, Outcome>;
  after: CustomerLedger;
}

function startState(input: CustomerInput, context: DecisionContext): State {
  return {
    context,
    before: input.before,
    burner: lotBurner(input.lots, context.rules),
    allotments: [],
    draws: [],
    counted: new Map(),
    after: input.before,
  };
}

/** Writes what has reached its date off, all but held points. The row's bounds tell without a look at the lots that nothing is due. */
function expireDue(state: State): typeof NEED_LOTS | undefined {
  const { now, rules } = state.context;
  const soonest = balanceExpiry(state.after, rules);
  if (soonest === null || Temporal.Instant.compare(soonest, now) > 0) return undefined;
  const due = duePoints(state.burner, now, state.after.activeAt);
  if (due === NEED_LOTS) return NEED_LOTS;
  const free = state.after.ledgerPoints - state.after.heldPoints;
  const points = due < free ? due : free;
  if (points === 0n) return undefined;
  const posting: Posting = {
    ...plainPosting(state.context.nextUid(), "expiration", "pointkeeper", {
      kind: "add",
      pointValue: -points,
      shortfall: "refuse",
    }),
    sourceKey: `expiration/${state.after.customerUid}/${state.after.version + 1n}`,
    reasonType: "expiration",
  };
  const written = write(state, posting, -points, []);
  return written === NEED_LOTS ? NEED_LOTS : undefined;
}

function decideOne(
  state: State,
  posting: Posting,
  drawsOf: ReadonlyMap<bigint, readonly Draw[]>,
): Outcome | typeof NEED_LOTS {
  const known = state.counted.get(posting.sourceKey) ?? state.context.counted.get(posting.sourceKey);
  if (known?.kind === "posted" || known?.kind === "duplicate") {
    return { kind: "duplicate", uid: known.uid, version: known.version, pointValue: known.pointValue };
  }
  const available = state.after.ledgerPoints - state.after.heldPoints;
  const wanted = wantedValue(posting, available);
  let value = wanted;
  if (available + wanted < 0n) {
    if (posting.change.kind !== "add" || posting.change.shortfall === "refuse") return refused("negative_balance");
    value = -available;
    if (posting.change.shortfall === "owe") owe(state, value - wanted);
  }
  if (state.after.ledgerPoints + value > POINTS_MAX) return refused("balance_limit");
  if (value === 0n && posting.change.kind !== "set") return { kind: "nothing", balance: balanceAfter(state) };
  const slices = slicesOf(posting, drawsOf);
  const allotment = write(state, posting, value, slices);
  if (allotment === NEED_LOTS) return NEED_LOTS;
  if (payDebt(state, posting, value) === NEED_LOTS) return NEED_LOTS;
  const outcome: Outcome = {
    kind: "posted",
    uid: posting.uid,
    version: allotment.version,
    pointValue: value,
    allottedAt: allotment.allottedAt,
    balance: balanceAfter(state),
  };
  state.counted.set(posting.sourceKey, outcome);
  return outcome;
}

function wantedValue(posting: Posting, available: bigint): bigint {
  const { change } = posting;
  return change.kind === "set" ? change.balance - available : change.pointValue;
}

function refused(code: "negative_balance" | "balance_limit"): Outcome {
  return { kind: "refused", code };
}

function slicesOf(posting: Posting, drawsOf: ReadonlyMap<bigint, readonly Draw[]>): readonly Draw[] {
  if (posting.change.kind !== "give_back") return [];
  const { ofVersion, skip, pointValue } = posting.change;
  const slices = returnSlices(drawsOf.get(ofVersion) ?? [], skip, pointValue);
  if (slices === null) throw new Error(`allotment ${ofVersion} did not draw the points that would come back`);
  return slices;
}

/** The debt of setting `owe`: kept on the balance, taken from later awards. */
function owe(state: State, points: bigint): void {
  state.after = { ...state.after, owedPoints: state.after.owedPoints + points };
}

function payDebt(state: State, posting: Posting, value: bigint): typeof NEED_LOTS | undefined {
  const owed = state.after.owedPoints;
  if (owed === 0n || value <= 0n || posting.change.kind !== "add" || !ALLOTMENT_TYPES[posting.type].earns)
    return undefined;
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
  return write(state, taking, -paid, []) === NEED_LOTS ? NEED_LOTS : undefined;
}

/** Adds one allotment with its lots or draws to what the batch writes. */
function write(state: State, posting: Posting, value: bigint, slices: readonly Draw[]): Allotment | typeof NEED_LOTS {
  const version = state.after.version + 1n;
  const allottedAt = nextAllottedAt(state);
  const extendsNow = posting.extends === "always" || (posting.extends === "credit" && value > 0n);
  const burnt = value < 0n ? burnLots(state.burner, -value, posting.drawFirst, state.after.activeAt) : [];
  if (burnt === NEED_LOTS) return NEED_LOTS;
  for (const draw of burnt) state.draws.push({ ...draw, byVersion: version });
  const opened = openedLots(state, posting, value, slices, { version, allottedAt, extends: extendsNow });
  for (const lot of opened) openLot(state.burner, lot);
  const balanceAfter = state.after.ledgerPoints + value;
  const earns = extendsNow && value > 0n && ALLOTMENT_TYPES[posting.type].earns;
  state.after = {
    ...state.after,
    ledgerPoints: balanceAfter,
    version,
    lastAllottedAt: allottedAt,
    activeAt: extendsNow ? allottedAt : state.after.activeAt,
    earnedAt: state.after.earnedAt ?? (earns ? allottedAt : null),
  };
  if (dateLots(state, value < 0n, opened) === NEED_LOTS) return NEED_LOTS;
  const allotment = { version, posting, pointValue: value, balanceAfter, allottedAt, extends: extendsNow };
  state.allotments.push(allotment);
  return allotment;
}

function nextAllottedAt(state: State): Temporal.Instant {
  let at = state.context.now.round({ smallestUnit: "microsecond", roundingMode: "trunc" });
  for (const floor of [state.after.lastAllottedAt, state.context.floorAt]) {
    if (floor !== null && Temporal.Instant.compare(floor, at) >= 0) at = floor.add({ microseconds: 1 });
  }
  return at;
}

function openedLots(
  state: State,
  posting: Posting,
  value: bigint,
  slices: readonly Draw[],
  own: { version: bigint; allottedAt: Temporal.Instant; extends: boolean },
): Lot[] {
  if (value <= 0n) return [];
  if (posting.change.kind !== "give_back") {
    const { expiresAt, origin } = posting;
    return [
      {
        version: own.version,
        part: 0,
        remaining: value,
        expiresAt,
        since: own.allottedAt,
        extends: own.extends,
        origin,
      },
    ];
  }
  return slices.map(({ lot, points }, part) => ({
    ...lot,
    version: own.version,
    part,
    remaining: points,
    expiresAt: returnedOwnDate(lot, state.after.activeAt, state.context.now, state.context.rules),
  }));
}

/** Keeps the row's bounds exact: from the lots after a burn, else by what was opened. */
function dateLots(state: State, burnt: boolean, opened: readonly Lot[]): typeof NEED_LOTS | undefined {
  if (burnt) {
    const bounds = lotBounds(state.burner);
    if (bounds === NEED_LOTS) return NEED_LOTS;
    state.after = { ...state.after, ...bounds };
    return undefined;
  }
  let { oldestSince, soonestExpiresAt } = state.after;
  for (const lot of opened) {
    if (lot.expiresAt === null) oldestSince = earlier(oldestSince, lot.since);
    else soonestExpiresAt = earlier(soonestExpiresAt, lot.expiresAt);
  }
  state.after = { ...state.after, oldestSince, soonestExpiresAt };
  return undefined;
}

function earlier(a: Temporal.Instant | null, b: Temporal.Instant): Temporal.Instant {
  return a !== null && Temporal.Instant.compare(a, b) <= 0 ? a : b;
}

function balanceAfter(state: State): BalanceAfter {
  return {
    points: state.after.ledgerPoints - state.after.heldPoints,
    expiresAt: balanceExpiry(state.after, state.context.rules),
    version: state.after.version,
  };
}

function finish(state: State, outcomes: Outcome[]): CustomerChange {
  const { opened, changed, usedUp } = lotChanges(state.burner);
  for (const [key, outcome] of state.counted) state.context.counted.set(key, outcome);
  return {
    after: state.after,
    allotments: state.allotments,
    draws: state.draws,
    lotsOpened: opened,
    lotsChanged: changed,
    lotsUsedUp: usedUp,
    outcomes,
  };
}
