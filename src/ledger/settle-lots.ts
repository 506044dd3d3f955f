import { decidePostings } from "./decide-postings.ts";
import type { ExpiryRules } from "./expiry.ts";
import type { HoldEnd } from "./hold.ts";
import { NEED_LOTS } from "./lot-burner.ts";
import { compareAge, compareDated, type Lot } from "./lots.ts";
import type { CustomerLedger } from "./posting.ts";

/** A balance with all its lots, and its holds that are over and not released yet, soonest first. */
export interface UnsettledBalance {
  /** Its bounds (`oldestSince`, `soonestExpiresAt`) may be anything: the lots tell them. */
  readonly before: CustomerLedger;
  readonly lots: readonly Lot[];
  readonly holdEnds: readonly HoldEnd[];
}

/** A balance as a posting would find it: what is due is written off, holds that are over are released. */
export interface SettledBalance {
  readonly ledger: CustomerLedger;
  readonly lots: readonly Lot[];
  /** When points of it next expire; null: never, or there are none. */
  readonly expiresAt: Temporal.Instant | null;
}

/** Settles a balance at a moment as a posting of that moment would (program.md 3 and 5). */
export function settleLots(
  { before, lots, holdEnds }: UnsettledBalance,
  rules: ExpiryRules,
  now: Temporal.Instant,
): SettledBalance {
  const dated = lots.filter(({ expiresAt }) => expiresAt !== null).sort(compareDated);
  const undated = lots.filter(({ expiresAt }) => expiresAt === null).sort(compareAge);
  const bounds = { oldestSince: undated[0]?.since ?? null, soonestExpiresAt: dated[0]?.expiresAt ?? null };
  const window = { dated, datedMore: false, undated, undatedMore: false, named: [] };
  const change = decidePostings(
    { before: { ...before, ...bounds }, lots: window, drawsOf: new Map(), postings: [], holdEnds },
    { now, floorAt: null, rules, counted: new Map(), nextUid: () => "" },
  );
  if (change === NEED_LOTS) throw new Error("all lots of a balance were not enough to settle it");
  const gone = new Set([...change.lotsUsedUp, ...change.lotsChanged].map(lotKey));
  const left = [...lots.filter((lot) => !gone.has(lotKey(lot))), ...change.lotsChanged, ...change.lotsOpened];
  return { ledger: change.after, lots: left, expiresAt: change.expiresAt };
}

function lotKey({ version, part, expiresAt }: Lot): string {
  return `${version}/${part}/${expiresAt?.epochNanoseconds}`;
}
