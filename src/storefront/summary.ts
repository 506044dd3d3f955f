import type { OpenCoupon } from "../coupons/read-open-coupons.ts";
import type { Expiry } from "../ledger/expiry.ts";
import type { Program, TierRule } from "../program/program.ts";
import { type Advancement, advancement } from "../tiers/advancement.ts";
import { nextCheckAfter } from "../tiers/check-dates.ts";
import { defaultTier } from "../tiers/tier-rules.ts";

/** What a storefront shows a customer of the program, and nothing else that is known of the person. */
export interface Summary {
  readonly program: Program;
  /** Available. */
  readonly points: bigint;
  /** Soonest first. */
  readonly expiries: readonly Expiry[];
  readonly tier: TierRule;
  readonly advancement: Advancement;
  /** In the window of the next check so far; minor units. */
  readonly spent: bigint;
  readonly coupons: readonly OpenCoupon[];
}

/** The summary of somebody who has nothing yet: of a customer who is not known, was deleted, or came a moment ago. */
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
