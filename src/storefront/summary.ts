import type { OpenCoupon } from "../coupons/read-open-coupons.ts";
import type { Expiry } from "../ledger/expiry/expiry.ts";
import type { Program, TierRule } from "../program/program.ts";
import { type Advancement, advancement } from "../tiers/advancement.ts";
import { nextCheckAfter } from "../tiers/check-dates.ts";
import { defaultTier } from "../tiers/tier-rules.ts";

/** What a storefront shows a customer of the program, without other personal data. */
export interface Summary {
  readonly program: Program;
  /** Available points. */
  readonly points: bigint;
  /** Soonest first. */
  readonly expiries: readonly Expiry[];
  readonly tier: TierRule;
  readonly advancement: Advancement;
  /** Spent so far in the window of the next check, in minor units. */
  readonly spent: bigint;
  readonly coupons: readonly OpenCoupon[];
}

/** Returns the summary of a customer who has nothing yet: unknown, deleted or new. */
export function newCustomerSummary(program: Program, now: Temporal.Instant): Summary {
  const tier = defaultTier(program.tiers.rules);
  const deadline = nextCheckAfter(now, program.tiers, program.store.timeZone);
  return {
    program,
    points: 0n,
    expiries: [],
    tier,
    advancement: advancement(program.tiers.rules, { present: tier, spent: 0n, deadline }),
    spent: 0n,
    coupons: [],
  };
}
