import type { ReadDeps } from "../../deps.ts";
import { readProgram } from "../../program/read-program.ts";
import { type BuyersMonth, selectBuyersMonths } from "../../sales/guest-queries.ts";
import { selectSalesProgress } from "../../sales/sale-queries.ts";
import { monthIndex, startOfMonthIndex } from "../../time/store-time.ts";

const MONTHS = 12;

export interface GuestMonths {
  readonly sums: readonly BuyersMonth[];
  /** The starts of the months, ascending, and that of the month after the last. */
  readonly starts: readonly Temporal.Instant[];
  readonly timeZone: string;
  readonly countedAt: Temporal.Instant | null;
}

/** Reads what customers and guests ordered in the store's last 12 months: at most 3,000 slots per month and tier, no orders. */
export async function readGuests(deps: Pick<ReadDeps, "db" | "clock">): Promise<GuestMonths> {
  const now = deps.clock.now();
  return await deps.db.snapshot(async (tx) => {
    const { timeZone } = (await readProgram(tx)).store;
    const first = monthIndex(now, timeZone) - MONTHS + 1;
    const starts = Array.from({ length: MONTHS + 1 }, (_, place) => startOfMonthIndex(first + place, timeZone));
    const { countedAt } = await selectSalesProgress(tx);
    return { sums: await selectBuyersMonths(tx, starts), starts, timeZone, countedAt };
  });
}
