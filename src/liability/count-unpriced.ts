import type { Tx } from "../db/pool.ts";
import { selectRange } from "../metrics/range-queries.ts";
import type { LedgerBookmark } from "../metrics/rollup.ts";
import { monthIndex } from "../time/store-time.ts";
import type { LiabilityBook } from "./book.ts";
import { monthsUntil } from "./month.ts";
import { sumRowsOf } from "./sum-rows.ts";
import { compareBookmarks, earlierBookmark, planUnpriced, type UnpricedMark } from "./unpriced.ts";
import {
  addUnpriced,
  clearUnpriced,
  selectUnpricedCohorts,
  sumUnpriced,
  updateUnpricedMark,
} from "./unpriced-queries.ts";

interface CountedRange {
  /** The book before and after this step. */
  readonly book: LiabilityBook;
  readonly counted: LiabilityBook;
  readonly mark: UnpricedMark;
  readonly size: number;
  /** Whether nothing was allotted between both. */
  readonly isEmpty: boolean;
}

/**
 * Separates points without a price in what was counted: in the range of this step if all before it is separated, otherwise in the next
 * `size` allotments. Returns whether the book is reached.
 */
export async function countUnpriced(tx: Tx, { book, counted, mark, size, isEmpty }: CountedRange): Promise<boolean> {
  const plan = planUnpriced(mark, book);
  if (plan.startsAnew) await clearUnpriced(tx, book.closedMonth);
  const to = await endOfUnpriced(tx, plan.mark, { book, counted, size });
  if (to.allottedAt === null) return true;
  const isMoved = compareBookmarks(plan.mark, to) < 0;
  const isSeparated = compareBookmarks(plan.mark, book) === 0;
  if (isMoved && !(isEmpty && isSeparated)) {
    const months = monthsUntil(monthIndex(to.allottedAt, book.timeZone), book.timeZone);
    const range = { from: plan.mark, to: { ...to, allottedAt: to.allottedAt } };
    const cohorts = await selectUnpricedCohorts(tx, range, months);
    if (cohorts.length > 0) {
      await addUnpriced(tx, sumRowsOf(await sumUnpriced(tx, range, { ...months, cohorts })), book.closedMonth);
    }
  }
  if (isMoved || plan.startsAnew) await updateUnpricedMark(tx, isMoved ? { ...plan.mark, ...to } : plan.mark);
  return compareBookmarks(to, counted) >= 0;
}

async function endOfUnpriced(
  tx: Tx,
  mark: UnpricedMark,
  { book, counted, size }: Omit<CountedRange, "mark" | "isEmpty">,
): Promise<LedgerBookmark> {
  if (counted.allottedAt === null || compareBookmarks(mark, book) >= 0) return counted;
  const range = await selectRange(tx, mark, { settledAt: counted.allottedAt, size });
  return range === null ? counted : earlierBookmark<LedgerBookmark>(range.to, counted);
}
