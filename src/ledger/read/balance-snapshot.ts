import { decidePostings } from "../decide-postings.ts";
import { type ExpiryRules, lotExpiry } from "../expiry/expiry.ts";
import { compareExpiries, type ExpiryDay, expiryDaysOf } from "../expiry/expiry-days.ts";
import type { HoldEnd } from "../holds/hold.ts";
import { compareAge, compareDated, type Lot } from "../lots/lots.ts";
import type { CustomerLedger } from "../posting.ts";

/** A balance with all its lots, and its holds that are over and not released yet, soonest first. */
export interface StoredBalance {
  /** Its bounds (`oldestSince`, `soonestExpiresAt`) are ignored: they are computed from the lots. */
  readonly before: CustomerLedger;
  readonly lots: readonly Lot[];
  readonly holdEnds: readonly HoldEnd[];
}

/** A balance as a posting would find it: due points are written off, and holds that are over are released. */
export interface CurrentBalance {
  readonly ledger: CustomerLedger;
  readonly lots: readonly Lot[];
  /** When points of the balance next expire; null: never, or there are none. */
  readonly expiresAt: Temporal.Instant | null;
}

/** Returns a balance at a moment, decided as a posting at that moment decides (program.md 3 and 5). */
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
  const kept = gone.size === 0 ? lots : lots.filter((lot) => !gone.has(lotKey(lot)));
  const left = [...kept, ...change.lotsChanged, ...change.lotsOpened];
  return { ledger: change.after, lots: left, expiresAt: change.expiresAt };
}

function lotKey({ version, part, expiresAt }: Lot): string {
  return `${version}/${part}/${expiresAt?.epochNanoseconds}`;
}

/** A balance as it stood after one of its versions, with the lots that made it up. */
export interface BalanceAt extends Pick<CustomerLedger, "bucket" | "customerUid" | "version" | "ledgerPoints"> {
  /** Points of the holds that existed then, including those in `holdEnds`. */
  readonly heldPoints: bigint;
  readonly activeAt: Temporal.Instant | null;
  /** The lots, with the points that each still held as `remaining`. */
  readonly lots: readonly Lot[];
  /** Holds that were over and not released yet, soonest first. */
  readonly holdEnds: readonly HoldEnd[];
}

/** A lot with the time at which it expires by the rules of a moment; null: never. */
export interface DatedLot extends Lot {
  readonly goesAt: Temporal.Instant | null;
}

/** The value of a balance at a moment. */
export interface BalanceSnapshot {
  /** Points that the customer can spend. */
  readonly available: bigint;
  readonly heldPoints: bigint;
  /** Points that have reached their date and are not written off yet. */
  readonly duePoints: bigint;
  readonly expiresAt: Temporal.Instant | null;
  /** Lots that are not due. */
  readonly lots: readonly DatedLot[];
}

/**
 * Returns the value of a balance at a moment (program.md 3 and 5), decided as a posting at that moment decides: points that had reached their
 * date are gone and holds that were over are released, whether or not that had been written.
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
  /** Contains only the lots that expire first, soonest first. */
  readonly snapshot: BalanceSnapshot;
  readonly lotCount: number;
  /** The days whose points are completely known, soonest first: all of them, unless the balance has more lots than were read. */
  readonly expiryDays: readonly ExpiryDay[];
  /** Points to be subtracted from the next points earned; null for a moment in the past, where it is not known. */
  readonly owedPoints: bigint | null;
}

/** Returns a balance with only the lots that expire first. */
export function firstLots(
  balance: BalanceAt,
  rules: ExpiryRules,
  { at, lotsMax }: { readonly at: Temporal.Instant; readonly lotsMax: number },
): Omit<BalanceSummary, "owedPoints"> {
  const { version, ledgerPoints } = balance;
  const snapshot = snapshotAt(balance, rules, at);
  const lots = snapshot.lots.toSorted(bySoonest);
  const first = { ...snapshot, lots: lots.slice(0, lotsMax) };
  return { version, ledgerPoints, snapshot: first, lotCount: lots.length, expiryDays: expiryDaysOf(lots) };
}

/** Orders lots by their expiry; lots that never expire come last. */
export function bySoonest(a: DatedLot, b: DatedLot): number {
  return compareExpiries(a.goesAt, b.goesAt) || Number(a.version - b.version);
}
