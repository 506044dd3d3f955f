import type { LedgerBookmark } from "../metrics/rollup.ts";
import { START } from "../metrics/rollup.ts";
import { startOfMonthIndex } from "../time/store-time.ts";
import type { LiabilityBook } from "./book.ts";

/** How far points of origin sale that no order awarded are separated, and by the months of which time zone. */
export interface UnpricedMark extends LedgerBookmark {
  /** Empty: nothing is separated yet. */
  readonly timeZone: string;
}

/** What has to be done before points without a price are counted on. */
export interface UnpricedPlan {
  /** Those of the open months are separated again from the first. */
  readonly startsAnew: boolean;
  readonly mark: UnpricedMark;
}

/**
 * The mark follows the book. It starts anew in a store of an earlier version, which separated nothing, and where a node of that version counted
 * the ledger again. Closed months stay as they are, so it starts behind them.
 */
export function planUnpriced(mark: UnpricedMark, book: LiabilityBook): UnpricedPlan {
  const { timeZone, closedMonth } = book;
  if (mark.timeZone === timeZone && compareBookmarks(mark, book) <= 0) return { startsAnew: false, mark };
  const first = closedMonth === null ? START : { ...START, allottedAt: startOfMonthIndex(closedMonth + 1, timeZone) };
  return { startsAnew: true, mark: { ...first, timeZone } };
}

/** Whether points without a price are known of all that the book counts. */
export function areUnpricedSeparated(mark: UnpricedMark, book: LiabilityBook): boolean {
  return mark.timeZone === book.timeZone && compareBookmarks(mark, book) === 0;
}

/** Whether they are known of all that the book counts up to the end of a month, whatever it has counted since. */
export function areSeparatedTo(month: number, mark: UnpricedMark, book: LiabilityBook): boolean {
  if (areUnpricedSeparated(mark, book)) return true;
  return !planUnpriced(mark, book).startsAnew && isAtOrAfter(mark, endOf(month, book));
}

/** Whether the book counts all that was allotted up to the end of a month, with the points without a price among it. */
export function isCountedTo(month: number, book: LiabilityBook, mark: UnpricedMark): boolean {
  return isAtOrAfter(book, endOf(month, book)) && areSeparatedTo(month, mark, book);
}

function endOf(month: number, { timeZone }: LiabilityBook): Temporal.Instant {
  return startOfMonthIndex(month + 1, timeZone);
}

function isAtOrAfter({ allottedAt }: LedgerBookmark, at: Temporal.Instant): boolean {
  return allottedAt !== null && Temporal.Instant.compare(allottedAt, at) >= 0;
}

export function compareBookmarks(a: LedgerBookmark, b: LedgerBookmark): number {
  if (a.allottedAt === null || b.allottedAt === null)
    return Number(b.allottedAt === null) - Number(a.allottedAt === null);
  const byTime = Temporal.Instant.compare(a.allottedAt, b.allottedAt);
  return byTime !== 0 || a.allotmentUid === b.allotmentUid ? byTime : a.allotmentUid < b.allotmentUid ? -1 : 1;
}

/** The nearer of two bookmarks. */
export function earlierBookmark<Bookmark extends LedgerBookmark>(a: Bookmark, b: Bookmark): Bookmark {
  return compareBookmarks(a, b) <= 0 ? a : b;
}
