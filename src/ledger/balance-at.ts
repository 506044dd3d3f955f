import type { ShownBalance } from "./balance-view.ts";
import { decidePostings } from "./decide-postings.ts";
import { type ExpiryRules, lotExpiry } from "./expiry.ts";
import type { HoldEnd } from "./hold.ts";
import { NEED_LOTS } from "./lot-burner.ts";
import { compareAge, compareDated, type Lot } from "./lots.ts";
import type { CustomerLedger } from "./posting.ts";

/** A balance as it stood after one of its versions, with the lots that made it up. */
export interface BalanceAt extends Pick<CustomerLedger, "bucket" | "customerUid" | "version" | "ledgerPoints"> {
  /** Of holds that stood, also of those in `holdEnds`. */
  readonly heldPoints: bigint;
  readonly activeAt: Temporal.Instant | null;
  /** What each still held, as `remaining`. */
  readonly lots: readonly Lot[];
  /** Holds that were over and not released yet, soonest first. */
  readonly holdEnds: readonly HoldEnd[];
}

/** A lot and when it goes by the rules of a moment; null: never. */
export interface DatedLot extends Lot {
  readonly goesAt: Temporal.Instant | null;
}

export interface Standing {
  /** What a customer can spend. */
  readonly available: bigint;
  readonly heldPoints: bigint;
  /** What has reached its date and is not written off yet. */
  readonly duePoints: bigint;
  readonly expiresAt: Temporal.Instant | null;
  /** Without what is due. */
  readonly lots: readonly DatedLot[];
}

/**
 * What a balance was worth at a moment (program.md 3 and 5): decided as a posting of that moment decides, so that what had reached its
 * date is gone and holds that were over are released, whether that had been written or not.
 */
export function standingAt(balance: BalanceAt, rules: ExpiryRules, at: Temporal.Instant): Standing {
  const { lots, holdEnds, ...row } = balance;
  const dated = lots.filter(({ expiresAt }) => expiresAt !== null).sort(compareDated);
  const undated = lots.filter(({ expiresAt }) => expiresAt === null).sort(compareAge);
  const bounds = { oldestSince: undated[0]?.since ?? null, soonestExpiresAt: dated[0]?.expiresAt ?? null };
  const unused = { heldUntil: null, owedPoints: 0n, lastAllottedAt: null, earnedAt: null };
  const window = { dated, datedMore: false, undated, undatedMore: false, named: [] };
  const change = decidePostings(
    { before: { ...row, ...bounds, ...unused }, lots: window, drawsOf: new Map(), postings: [], holdEnds },
    { now: at, floorAt: null, rules, counted: new Map(), nextUid: () => "" },
  );
  if (change === NEED_LOTS) throw new Error("all lots of a balance were not enough to settle it");
  const gone = new Set([...change.lotsUsedUp, ...change.lotsChanged].map(lotKey));
  const left = [...lots.filter((lot) => !gone.has(lotKey(lot))), ...change.lotsChanged, ...change.lotsOpened];
  const { ledgerPoints, heldPoints, activeAt } = change.after;
  return {
    available: ledgerPoints - heldPoints,
    heldPoints,
    duePoints: balance.ledgerPoints - ledgerPoints,
    expiresAt: change.expiresAt,
    lots: left.map((lot) => ({ ...lot, goesAt: lotExpiry(lot, activeAt, rules) })),
  };
}

function lotKey({ version, part, expiresAt }: Lot): string {
  return `${version}/${part}/${expiresAt?.epochNanoseconds}`;
}

export function shownAt(
  storefrontId: string,
  { available, expiresAt }: Standing,
  { delayMonths }: Pick<ExpiryRules, "delayMonths">,
): ShownBalance {
  return { storefrontId, delayMonths, expiresAt, points: available };
}
