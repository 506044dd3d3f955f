import type { LockedBalance } from "./lock-balances.ts";
import { type Draw, sumRemaining } from "./lots.ts";
import { type Posting, plainPosting } from "./posting.ts";

/** Two balances of one person, locked: `removed` is merged into `kept`. */
export interface MergingBalances {
  readonly removed: LockedBalance;
  readonly kept: LockedBalance;
}

/**
 * The surviving balance before the points come to it: both histories are one person's, so the last activity is the later of
 * both (it dates all lots alike, and none sooner than before), the first earning the earlier; debts and holds add up, unless
 * the survivor was deleted and has none.
 */
export function joinBalances({ removed, kept }: MergingBalances, isKeptDeleted: boolean): LockedBalance {
  const joined = {
    ...kept,
    activeAt: pick(kept.activeAt, removed.activeAt, 1),
    earnedAt: pick(kept.earnedAt, removed.earnedAt, -1),
  };
  if (isKeptDeleted) return joined;
  return {
    ...joined,
    owedPoints: kept.owedPoints + removed.owedPoints,
    heldPoints: kept.heldPoints + removed.heldPoints,
    heldUntil: pick(kept.heldUntil, removed.heldUntil, -1),
  };
}

function pick(a: Temporal.Instant | null, b: Temporal.Instant | null, sign: 1 | -1): Temporal.Instant | null {
  if (a === null || b === null) return a ?? b;
  return sign * Temporal.Instant.compare(a, b) >= 0 ? a : b;
}

/** What a merge writes into the ledger is staff's adjustment of both sides (type `manual`), which sums to nothing. */
export function closingPosting(uid: string, { removed, kept }: MergingBalances, appReference: string): Posting {
  return {
    ...plainPosting(uid, "manual", appReference, { kind: "close" }),
    sourceKey: `merge/${removed.customerUid}`,
    object: `balance-${kept.customerUid}`,
  };
}

/**
 * One posting for each lot that the closing one drew, oldest expiry first, with its date, start and origin (program.md 3, points
 * that come back). The key names the lot, so that it can be found again: `carriedKey`.
 */
export function bringingPostings(
  nextUid: () => string,
  { removed }: MergingBalances,
  closing: { readonly version: bigint; readonly draws: readonly Draw[]; readonly appReference: string },
): Posting[] {
  const { version, draws, appReference } = closing;
  // points come back last drawn first: those of the later draws are passed over
  let skip = sumRemaining(draws.map(({ lot, points }) => ({ ...lot, remaining: points })));
  return draws.map(({ lot, points }) => {
    skip -= points;
    const change = { kind: "give_back", pointValue: points, ofVersion: version, skip, of: removed } as const;
    return {
      ...plainPosting(nextUid(), "manual", appReference, change),
      sourceKey: carriedKey(removed.customerUid, lot.version, lot.part),
      object: `balance-${removed.customerUid}`,
      origin: lot.origin,
    };
  });
}

/** The natural key under which a lot of a merged customer went to the surviving one. */
export function carriedKey(customerUid: string, version: bigint, part: number): string {
  return `merge/${customerUid}/${version}/${part}`;
}
