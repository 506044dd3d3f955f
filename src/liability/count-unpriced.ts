import type { Tx } from "../db/pool.ts";
import type { LedgerBookmark } from "../metrics/rollup.ts";
import { monthIndex } from "../time/store-time.ts";
import type { LiabilityBook } from "./book.ts";
import { monthsUntil } from "./month.ts";
import { sumRowsOf } from "./sum-rows.ts";
import { compareBookmarks, type UnpricedPlan } from "./unpriced.ts";
import {
  addUnpriced,
  clearUnpriced,
  selectUnpricedCohorts,
  sumUnpriced,
  updateUnpricedMark,
} from "./unpriced-queries.ts";

/** The allotments from the mark of the plan up to `to`, all of which the book has counted. */
interface CountedRange {
  readonly book: LiabilityBook;
  readonly plan: UnpricedPlan;
  readonly to: LedgerBookmark;
  /** Whether nothing was allotted in it. */
  readonly isEmpty: boolean;
}

/** Separates points without a price in a range that is counted. The caller has locked the book. */
export async function countUnpriced(tx: Tx, { book, plan, to, isEmpty }: CountedRange): Promise<void> {
  if (plan.startsAnew) await clearUnpriced(tx, book.closedMonth);
  if (to.allottedAt === null || compareBookmarks(plan.mark, to) >= 0) {
    if (plan.startsAnew) await updateUnpricedMark(tx, plan.mark);
    return;
  }
  if (!isEmpty) {
    const months = monthsUntil(monthIndex(to.allottedAt, book.timeZone), book.timeZone);
    const range = { from: plan.mark, to: { ...to, allottedAt: to.allottedAt } };
    const cohorts = await selectUnpricedCohorts(tx, range, months);
    if (cohorts.length > 0) {
      await addUnpriced(tx, sumRowsOf(await sumUnpriced(tx, range, { ...months, cohorts })), book.closedMonth);
    }
  }
  const { allottedAt, allotmentUid } = to;
  await updateUnpricedMark(tx, { timeZone: plan.mark.timeZone, allottedAt, allotmentUid });
}
