import type { Queryable } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { monthIndex } from "../time/store-time.ts";
import type { LiabilityBook } from "./book.ts";
import { type StoredBook, selectBook } from "./book-queries.ts";
import type { CohortDeferral } from "./deferrals.ts";
import { ALL_COHORTS, type Estimate, expectationOf, expectationOfClosed } from "./estimates.ts";
import { monthText, parseMonth } from "./month.ts";
import { readOpenDeferrals } from "./read-open-deferrals.ts";
import {
  type ClosedMonth,
  type MovedRow,
  type OwedRow,
  selectClosedMonths,
  selectDeferrals,
  selectEstimates,
  selectFirstMonth,
  selectMoved,
  selectOwed,
} from "./report-queries.ts";
import type { Expectation } from "./revenue.ts";
import { areSeparatedTo } from "./unpriced.ts";
import { selectUnpricedMark } from "./unpriced-queries.ts";

/** Everything that the report of a month shows. */
export interface Liability {
  readonly month: number;
  /** The months that have a report: from the first movement to the present month. */
  readonly firstMonth: number;
  readonly lastMonth: number;
  readonly closed: readonly ClosedMonth[];
  readonly book: StoredBook;
  readonly timeZone: string;
  readonly currency: string;
  readonly owed: readonly OwedRow[];
  readonly moved: readonly MovedRow[];
  readonly estimates: readonly Estimate[];
  /** Null where there is no estimate, so that nothing is deferred. */
  readonly expectation: Expectation | null;
  readonly deferrals: readonly CohortDeferral[];
  /** Whether points without a price are known: in an open month not until the worker has separated its own after an upgrade. */
  readonly areUnpricedKnown: boolean;
}

/** Reads the report of a month (`2026-10`; absent: the present one) in one snapshot. Throws `invalid` for a month without a report. */
export async function readLiability(
  deps: Pick<ReadDeps, "db" | "clock">,
  monthGiven: string | undefined,
): Promise<Liability> {
  return deps.db.snapshot(async (tx) => {
    const [book, mark, { store }, first, closed, estimates] = await Promise.all([
      selectBook(tx),
      selectUnpricedMark(tx),
      readProgram(tx),
      selectFirstMonth(tx),
      selectClosedMonths(tx),
      selectEstimates(tx),
    ]);
    const timeZone = book.timeZone === "" ? store.timeZone : book.timeZone;
    const lastMonth = monthIndex(deps.clock.now(), timeZone);
    const firstMonth = Math.min(first ?? lastMonth, closed[0]?.month ?? lastMonth, lastMonth);
    const month = monthGiven === undefined ? lastMonth : parseMonth(monthGiven);
    if (month === null || month < firstMonth || month > lastMonth) {
      const detail = `expected a month from ${monthText(firstMonth)} to ${monthText(lastMonth)}`;
      throw new Problem("invalid", { faults: [{ parameter: "month", detail }] });
    }
    const [owed, moved, deferrals] = await Promise.all([
      selectOwed(tx, month),
      selectMoved(tx, month),
      readDeferrals(tx, { month, firstMonth, book, estimates }),
    ]);
    return {
      ...{ month, firstMonth, lastMonth, closed, book, timeZone, owed, moved, estimates, deferrals },
      areUnpricedKnown: isClosed(book, month) || areSeparatedTo(month, mark, book),
      currency: closed.find((each) => each.month === month)?.currency ?? store.currency,
      expectation: isClosed(book, month)
        ? expectationOfClosed(estimates, month, { hasDeferrals: deferrals.length > 0 })
        : expectationOf(estimates, ALL_COHORTS, month),
    };
  });
}

function isClosed({ closedMonth }: Pick<StoredBook, "closedMonth">, month: number): boolean {
  return closedMonth !== null && month <= closedMonth;
}

/** For a closed month the stored deferrals, for an open one those computed from the present estimates. */
async function readDeferrals(
  queryable: Queryable,
  from: { month: number; firstMonth: number; book: LiabilityBook; estimates: readonly Estimate[] },
): Promise<readonly CohortDeferral[]> {
  const { month, firstMonth, book, estimates } = from;
  const { closedMonth } = book;
  if (isClosed(book, month)) return selectDeferrals(queryable, month);
  const months = await readOpenDeferrals(queryable, {
    from: closedMonth === null ? firstMonth : closedMonth + 1,
    until: month,
    ...{ estimates, book },
  });
  return months.get(month) ?? [];
}
