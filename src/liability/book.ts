import { type LedgerBookmark, START } from "../metrics/rollup.ts";

/** How far the ledger's movements are counted, and the time zone whose months are used. */
export interface LiabilityBook extends LedgerBookmark {
  /** Empty: nothing is counted yet. */
  readonly timeZone: string;
  /** The last closed month; null where none is closed. */
  readonly closedMonth: number | null;
}

/** What has to be done before counting continues. */
export interface BookPlan {
  /** All sums are deleted, and the ledger is counted from its beginning. */
  readonly startsAnew: boolean;
  readonly book: LiabilityBook;
}

/**
 * The book uses the store's time zone. A changed time zone changes the months, so everything is counted again; but once a month is closed,
 * the zone of the book never changes. Where the settled mark is before the bookmark of an empty book, the clock of a sandbox was set back
 * before the first allotment, and the book starts anew.
 */
export function planBook(
  book: LiabilityBook & { readonly isEmpty: boolean },
  timeZone: string,
  settledAt: Temporal.Instant,
): BookPlan {
  const { allottedAt, closedMonth, isEmpty } = book;
  if (closedMonth !== null) return { startsAnew: false, book };
  if (book.timeZone !== timeZone) return { startsAnew: true, book: { ...book, ...START, timeZone } };
  const isAhead = allottedAt !== null && Temporal.Instant.compare(allottedAt, settledAt) > 0;
  return isAhead && isEmpty ? { startsAnew: true, book: { ...book, ...START } } : { startsAnew: false, book };
}
