import { compareInstants } from "./compare-instants.ts";
import { type ExpiryRules, lotExpiry } from "./expiry.ts";
import type { Lot } from "./lots.ts";

/** Points that expire at one time. */
export interface Expiry {
  readonly expiresAt: Temporal.Instant;
  readonly points: bigint;
}

/** A balance as far as its expiries depend on it. */
export interface ExpiringBalance {
  readonly heldPoints: bigint;
  readonly activeAt: Temporal.Instant | null;
  readonly lots: readonly Pick<Lot, "remaining" | "expiresAt" | "since">[];
}

/**
 * What of the available points expires when, soonest first; with what never expires it sums to what is available. Holds keep what
 * expires soonest, as a capture would take it, beyond its date too; other points that have reached theirs are gone (program.md 3, 5).
 */
export function upcomingExpiries(balance: ExpiringBalance, rules: ExpiryRules, now: Temporal.Instant): Expiry[] {
  const dated = new Map<bigint, bigint>();
  let due = 0n;
  for (const lot of balance.lots) {
    const at = lotExpiry(lot, balance.activeAt, rules);
    if (at === null) continue;
    if (compareInstants(at, now) <= 0) due += lot.remaining;
    else dated.set(at.epochNanoseconds, (dated.get(at.epochNanoseconds) ?? 0n) + lot.remaining);
  }
  // what is due is gone, or stays for the hold, which keeps what burns first
  let held = due < balance.heldPoints ? balance.heldPoints - due : 0n;
  const upcoming: Expiry[] = [];
  for (const [nanoseconds, points] of [...dated].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kept = held < points ? held : points;
    held -= kept;
    if (points > kept) {
      upcoming.push({ expiresAt: Temporal.Instant.fromEpochNanoseconds(nanoseconds), points: points - kept });
    }
  }
  return upcoming;
}
