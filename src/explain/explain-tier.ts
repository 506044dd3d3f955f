import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { readAsOf } from "../program/read-as-of.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramValidAt } from "../program/read-program-valid-at.ts";
import { type SpendWindow, windowOf } from "../tiers/check-dates.ts";
import { readTier, type TierRecord } from "../tiers/read-tier.ts";
import { type StoredTierChange, selectSpentElsewhere, selectTierChanges } from "../tiers/tier-queries.ts";
import { type OrderSpend, selectSpendOrders } from "./balance-queries.ts";

export interface TierExplanation extends TierRecord {
  readonly at: Temporal.Instant;
  readonly timeZone: string;
  readonly programVersion: number;
  readonly onMiss: "one_down" | "matching" | "never";
  /** The window of the next check. */
  readonly window: SpendWindow;
  readonly spent: bigint;
  /** The part of it that was spent in other apps, in minor units. */
  readonly spentElsewhere: bigint;
  /** Oldest first, at most 250. */
  readonly orders: readonly OrderSpend[];
  /** The change that led to the tier; null: never placed. */
  readonly lastChange: StoredTierChange | null;
}

const CHANGES_MAX = 1_000;

/**
 * Returns the explanation of a customer's tier, now or at `as_of`: the change that led to it, the spend that counts toward the next check, and its
 * orders. Throws like `readTier`.
 */
export async function explainTier(
  deps: Pick<Deps, "db" | "clock">,
  named: string,
  asOf: string | undefined,
): Promise<TierExplanation> {
  const { db, clock } = deps;
  const now = clock.now();
  const record = await readTier(deps, named, asOf);
  const moment = await readAsOf(db, { text: asOf, parameter: "as_of", now });
  const [customer, program] = await Promise.all([
    findCustomer(db, named),
    moment === null ? readProgram(db) : readProgramValidAt(db, moment),
  ]);
  const at = moment ?? now;
  const window = windowOf(record.advancement.deadline, program.tiers, program.store.timeZone);
  const end = moment === null ? window.end : moment.add({ microseconds: 1 });
  const [orders, spentElsewhere, changes] = await Promise.all([
    selectSpendOrders(db, customer, { start: window.start, end }),
    selectSpentElsewhere(db, customer, { start: window.start, end }),
    selectTierChanges(db, customer, { offset: 0, limit: CHANGES_MAX }),
  ]);
  return {
    ...record,
    at,
    timeZone: program.store.timeZone,
    programVersion: program.version,
    onMiss: program.tiers.onMiss,
    window,
    spent: record.spent,
    spentElsewhere,
    orders,
    lastChange: changes.find(({ changedAt }) => Temporal.Instant.compare(changedAt, at) <= 0) ?? null,
  };
}
