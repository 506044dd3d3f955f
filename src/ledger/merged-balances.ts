import type { LockedBalance } from "./lock-balances.ts";
import type { Draw } from "./lots.ts";
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

/**
 * One posting for each lot of the removed side whose points the survivor gets, oldest expiry first, with its date, start and origin
 * (program.md 3, points that come back). The key names the lot, so that it can be found again: `carriedKey`. `draws`: all that took
 * those points; of one lot there may be several.
 */
export function bringingPostings(
  nextUid: () => string,
  { removed }: MergingBalances,
  draws: readonly Draw[],
  appReference: string,
): Posting[] {
  const byLot = Map.groupBy(draws, ({ lot }) => carriedKey(removed.customerUid, lot.version, lot.part));
  return [...byLot].map(([sourceKey, ofLot]) => ({
    ...plainPosting(nextUid(), "manual", appReference, {
      kind: "carry",
      pointValue: sum(ofLot),
      slices: byDate(ofLot),
    }),
    sourceKey,
    object: `balance-${removed.customerUid}`,
    origin: ofLot[0]?.lot.origin ?? null,
  }));
}

/** One slice for each date that the lot had: it may have got another between two draws. */
function byDate(draws: readonly Draw[]): Draw[] {
  const slices = new Map<bigint | null, Draw>();
  for (const { lot, points } of draws) {
    const date = lot.expiresAt?.epochNanoseconds ?? null;
    slices.set(date, { lot, points: points + (slices.get(date)?.points ?? 0n) });
  }
  return [...slices.values()];
}

function sum(draws: readonly Draw[]): bigint {
  return draws.reduce((total, { points }) => total + points, 0n);
}

/** The natural key under which a lot of a merged customer went to the surviving one. */
export function carriedKey(customerUid: string, version: bigint, part: number): string {
  return `merge/${customerUid}/${version}/${part}`;
}
