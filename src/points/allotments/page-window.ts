import type { Paging } from "../../http/paging.ts";

/** The number of rows between two bookmarks of the store's list. */
export const BOOKMARK_EVERY = 250;

/** The positions of a list, ascending from 0, that one page shows: [start, end). */
export interface PageWindow {
  readonly start: number;
  readonly end: number;
  readonly hasMore: boolean;
}

/**
 * Returns the positions of a page by number within the positions [first, last) that the filters leave. `last` may be Infinity in ascending
 * order, where it is not needed.
 */
export function pageWindow(paging: Paging, first: number, last: number): PageWindow {
  const skipped = (paging.page - 1) * paging.perPage;
  if (paging.direction === "asc") {
    const start = Math.min(first + skipped, last);
    const end = Math.min(start + paging.perPage, last);
    return { start, end, hasMore: end < last };
  }
  const end = Math.max(last - skipped, first);
  const start = Math.max(end - paging.perPage, first);
  return { start, end, hasMore: start > first };
}
