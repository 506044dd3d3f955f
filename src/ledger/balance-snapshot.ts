import { decidePostings } from "./decide-postings.ts";
import { type ExpiryRules, lotExpiry } from "./expiry.ts";
import type { HoldEnd } from "./hold.ts";
import { compareAge, compareDated, type Lot } from "./lots.ts";
import type { CustomerLedger } from "./posting.ts";

/** A balance with all its lots, and its holds that are over and not released yet, soonest first. */
export interface StoredBalance {
  /** Its bounds (`oldestSince`, `soonestExpiresAt`) may be anything: the lots tell them. */
  readonly before: CustomerLedger;
  readonly lots: readonly Lot[];
  readonly holdEnds: readonly HoldEnd[];
}

/** A balance as a posting would find it: what is due is written off, holds that are over are released. */
export interface CurrentBalance {
  readonly ledger: CustomerLedger;
  readonly lots: readonly Lot[];
  /** When points of it next expire; null: never, or there are none. */
  readonly expiresAt: Temporal.Instant | null;
}

/** What a balance is at a moment, decided as a posting of that moment decides (program.md 3 and 5). */
export function currentBalance(
  { before, lots, holdEnds }: StoredBalance,
  rules: ExpiryRules,
  now: Temporal.Instant,
): CurrentBalance {
  const dated = lots.filter(({ expiresAt }) => expiresAt !== null).sort(compareDated);
  const undated = lots.filter(({ expiresAt }) => expiresAt === null).sort(compareAge);
  const bounds = { oldestSince: undated[0]?.since ?? null, soonestExpiresAt: dated[0]?.expiresAt ?? null };
  const window = { dated, datedMore: false, undated, undatedMore: false, named: [] };
  const change = decidePostings(
    { before: { ...before, ...bounds }, lots: window, drawsOf: new Map(), postings: [], holdEnds },
    { now, watermarkAt: null, rules, counted: new Map(), nextUid: () => "" },
  );
  if (change === null) throw new Error("all lots of a balance were not enough to decide it");
  const gone = new Set([...change.lotsUsedUp, ...change.lotsChanged].map(lotKey));
  const left = [...lots.filter((lot) => !gone.has(lotKey(lot))), ...change.lotsChanged, ...change.lotsOpened];
  return { ledger: change.after, lots: left, expiresAt: change.expiresAt };
}

function lotKey({ version, part, expiresAt }: Lot): string {
  return `${version}/${part}/${expiresAt?.epochNanoseconds}`;
}

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

/** What a balance was worth at a moment. */
export interface BalanceSnapshot {
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
export function snapshotAt(balance: BalanceAt, rules: ExpiryRules, at: Temporal.Instant): BalanceSnapshot {
  const { lots, holdEnds, ...row } = balance;
  const unused = { oldestSince: null, soonestExpiresAt: null, lastAllottedAt: null, earnedAt: null };
  const before = { ...row, ...unused, heldUntil: null, owedPoints: 0n };
  const current = currentBalance({ before, lots, holdEnds }, rules, at);
  const { ledgerPoints, heldPoints, activeAt } = current.ledger;
  return {
    available: ledgerPoints - heldPoints,
    heldPoints,
    duePoints: balance.ledgerPoints - ledgerPoints,
    expiresAt: current.expiresAt,
    lots: current.lots.map((lot) => ({ ...lot, goesAt: lotExpiry(lot, activeAt, rules) })),
  };
}

/** A balance and its parts. */
export interface BalanceSummary extends Pick<BalanceAt, "version" | "ledgerPoints"> {
  /** With the lots that go first alone, soonest first. */
  readonly snapshot: BalanceSnapshot;
  readonly lotCount: number;
  /** What is taken from the next points that are earned; null: of a moment that has passed, and not known. */
  readonly owedPoints: bigint | null;
}

/** What a balance stood at, with the lots that went first. */
export function firstLots(
  balance: BalanceAt,
  rules: ExpiryRules,
  { at, lotsMax }: { readonly at: Temporal.Instant; readonly lotsMax: number },
): Omit<BalanceSummary, "owedPoints"> {
  const { version, ledgerPoints } = balance;
  const snapshot = snapshotAt(balance, rules, at);
  const lots = snapshot.lots.toSorted(bySoonest).slice(0, lotsMax);
  return { version, ledgerPoints, snapshot: { ...snapshot, lots }, lotCount: snapshot.lots.length };
}

/** Orders lots by when they go; those that never do come last. */
export function bySoonest(a: DatedLot, b: DatedLot): number {
  if (a.goesAt === null || b.goesAt === null) return Number(a.goesAt === null) - Number(b.goesAt === null);
  return Temporal.Instant.compare(a.goesAt, b.goesAt) || Number(a.version - b.version);
}
