import { type LedgerBookmark, START } from "../metrics/rollup.ts";

/** How far the ledger's movements are counted, and by which time zone's months. */
export interface LiabilityBook extends LedgerBookmark {
  /** Empty: nothing is counted yet. */
  readonly timeZone: string;
  /** The last closed month; null: none is. */
  readonly closedMonth: number | null;
}

/** What is to be done before more is counted. */
export interface BookPlan {
  /** All sums go, and the ledger is counted from its beginning. */
  readonly startsAnew: boolean;
  readonly book: LiabilityBook;
}

/**
 * The book keeps the store's time zone. Another zone makes other months, so everything is counted again; once a month is closed, its zone
 * stays for good. A settled mark before the bookmark of an empty book is a sandbox clock that was set back before the first allotment.
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
