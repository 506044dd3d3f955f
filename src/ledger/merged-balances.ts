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
 * both (it dates all lots alike, and none sooner than before), the first earning the earlier; debts and holds add up.
 */
export function joinBalances({ removed, kept }: MergingBalances): LockedBalance {
  return {
    ...kept,
    activeAt: pick(kept.activeAt, removed.activeAt, 1),
    earnedAt: pick(kept.earnedAt, removed.earnedAt, -1),
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

/** An allotment that took points of the removed side which the survivor has now, and the lots that it drew. */
export interface Taking {
  readonly version: bigint;
  readonly draws: readonly Draw[];
}

/**
 * One posting for each lot that each taking drew, oldest expiry first, with its date, start and origin (program.md 3, points
 * that come back). The key names the lot, so that it can be found again: `carriedKey`.
 */
export function bringingPostings(
  nextUid: () => string,
  { removed }: MergingBalances,
  takings: readonly Taking[],
  appReference: string,
): Posting[] {
  const times = new Map<string, number>();
  return takings
    .flatMap((taking) => bringing(nextUid, removed, taking, appReference))
    .map((posting) => {
      const before = times.get(posting.sourceKey) ?? 0;
      times.set(posting.sourceKey, before + 1);
      return before === 0 ? posting : { ...posting, sourceKey: `${posting.sourceKey}/${before}` };
    });
}

function bringing(
  nextUid: () => string,
  removed: LockedBalance,
  { version, draws }: Taking,
  appReference: string,
): Posting[] {
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

/** The natural key under which a lot of a merged customer went to the surviving one; a further taking of the same lot adds `/<n>`. */
export function carriedKey(customerUid: string, version: bigint, part: number): string {
  return `merge/${customerUid}/${version}/${part}`;
}
