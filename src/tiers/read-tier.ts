import type { CustomerRow } from "../customers/customer.ts";
import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { Program, TierRule } from "../program/program.ts";
import { readAsOf } from "../program/read-as-of.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramValidAt } from "../program/read-program-valid-at.ts";
import { type Advancement, advancement } from "./advancement.ts";
import { nextCheckAfter, type SpendWindow, windowOf } from "./check-dates.ts";
import { type StoredTier, selectFloorAt, selectSpent, selectTier, selectTierAt } from "./tier-queries.ts";
import { assignmentOf, keptTierOf, type TierAssignment } from "./tier-update.ts";

export interface TierRecord extends TierAssignment {
  readonly storefrontId: string;
  readonly currency: string;
  readonly advancement: Advancement;
  /** A tier below which no check places the customer before a future time; null: none, or the record is for a past moment. */
  readonly keptTier: { readonly tier: TierRule; readonly until: Temporal.Instant } | null;
  /** In the window of the next check so far; minor units. */
  readonly spent: bigint;
}

/**
 * Returns the tier record of the customer that a request names (interface.md 2.6, program.md 6), for the next check and the spend of its
 * window so far. With `asOf` it is the record of that moment: the rules valid then, the tier, floor and skip by their history, and the
 * spend of orders credited by then. Throws `customer_not_found`, also for a moment before the customer existed, `ambiguous_email`, and
 * `invalid` for a moment that cannot be parsed or is in the future.
 */
export async function readTier(deps: Pick<Deps, "db" | "clock">, named: string, asOf?: string): Promise<TierRecord> {
  const { db, clock } = deps;
  const now = clock.now();
  const at = await readAsOf(db, { text: asOf, parameter: "as_of", now });
  const customer = await findCustomer(db, named);
  if (at === null) return recordAt(deps, customer, { program: await readProgram(db), now, at });
  if (Temporal.Instant.compare(at, customer.createdAt) < 0) throw new Problem("customer_not_found");
  return recordAt(deps, customer, { program: await readProgramValidAt(db, at), now, at });
}

interface Moment {
  readonly program: Program;
  readonly now: Temporal.Instant;
  /** null: now. */
  readonly at: Temporal.Instant | null;
}

async function recordAt(
  { db }: Pick<Deps, "db">,
  customer: CustomerRow,
  { program, now, at }: Moment,
): Promise<TierRecord> {
  const { timeZone, currency } = program.store;
  const deadline = nextCheckAfter(at ?? now, program.tiers, timeZone);
  const window = windowOf(deadline, program.tiers, timeZone);
  const [stored, spent] = await Promise.all([
    at === null ? selectTier(db, customer) : storedAt(db, customer, at),
    selectSpent(db, customer, at === null ? window : upTo(window, at)),
  ]);
  const standing = assignmentOf(program.tiers.rules, stored);
  return {
    ...standing,
    keptTier: keptTierAt(program.tiers.rules, stored, now),
    storefrontId: customer.storefrontId,
    currency,
    spent,
    advancement: advancement(program.tiers.rules, { present: standing.tier, spent, deadline }),
  };
}

function keptTierAt(rules: readonly TierRule[], stored: StoredTier, now: Temporal.Instant): TierRecord["keptTier"] {
  const kept = keptTierOf(stored);
  const tier = rules.find(({ uid }) => uid === kept?.tierUid);
  return kept !== null && tier !== undefined && Temporal.Instant.compare(kept.until, now) > 0
    ? { tier, until: kept.until }
    : null;
}

async function storedAt(db: Deps["db"], customer: CustomerRow, at: Temporal.Instant): Promise<StoredTier> {
  const [tierUid, standing] = await Promise.all([selectTierAt(db, customer, at), selectFloorAt(db, customer, at)]);
  return { tierUid, ...standing };
}

function upTo({ start, end }: SpendWindow, at: Temporal.Instant): SpendWindow {
  const after = at.add({ microseconds: 1 });
  return { start, end: Temporal.Instant.compare(after, end) < 0 ? after : end };
}
