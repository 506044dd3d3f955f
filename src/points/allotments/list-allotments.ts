import { staleRead } from "../../db/stale-read.ts";
import type { ReadDeps } from "../../deps.ts";
import type { PageEnd, Paging } from "../../http/paging.ts";
import { readSettledMark } from "../../ledger/settled-mark/read-settled-mark.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { type AllotmentFilters, type AllotmentQuery, parseFilters } from "./filters.ts";
import { BOOKMARK_EVERY, pageWindow } from "./page-window.ts";
import { CURSOR_FAULT, cursorOf, positionOf } from "./position-cursor.ts";
import {
  bookmarkAt,
  FIRST_POSITION,
  LAST_POSITION,
  LAST_UID,
  type Position,
  type Range,
  rankOf,
  selectBetween,
  selectFrom,
} from "./queries.ts";
import type { AllotmentRow } from "./view.ts";

export interface AllotmentPage {
  readonly rows: readonly AllotmentRow[];
  readonly end: PageEnd;
  readonly paging: Paging;
}

/**
 * Returns a page of the store's allotments by (`allotted_at`, `uid`) (interface.md 4.3, program.md 2). With a cursor, a page in ascending order
 * shows only settled rows and never skips one. A page in descending order, and one with a page number, which is found by bookmarks, shows all rows.
 * Throws 422 for filters that cannot be parsed.
 */
export async function listAllotments(deps: ReadDeps, query: AllotmentQuery): Promise<AllotmentPage> {
  const program = await readProgram(deps.db);
  const filters = parseFilters(query, program.store.timeZone);
  if ("faults" in filters) throw new Problem("invalid", filters);
  return filters.paging.cursor === null
    ? pageByNumber(deps, filters)
    : pageByCursor(deps, filters, filters.paging.cursor);
}

function rangeOf({ type, after, before }: AllotmentFilters): Range {
  return {
    type,
    after: after === null ? FIRST_POSITION : { allottedAt: after, uid: LAST_UID },
    before: before === null ? LAST_POSITION : { ...FIRST_POSITION, allottedAt: before },
  };
}

async function pageByCursor(deps: ReadDeps, filters: AllotmentFilters, cursor: string): Promise<AllotmentPage> {
  const { paging } = filters;
  const at = positionOf(cursor);
  if (at === undefined) throw new Problem("invalid", { faults: [CURSOR_FAULT] });
  const { settledAt } = await readSettledMark(deps);
  if (paging.direction === "desc") assertCovers(deps, settledAt, at);
  const settled = settledAt === null ? FIRST_POSITION : { allottedAt: settledAt, uid: LAST_UID };
  const range = rangeOf(filters);
  const bounds =
    paging.direction === "asc"
      ? { ...range, after: later(range.after, at), before: sooner(range.before, settled) }
      : { ...range, before: sooner(range.before, at) };
  const found = await selectBetween(deps.db, bounds, paging.direction, paging.perPage + 1);
  const rows = found.slice(0, paging.perPage);
  const hasMore = found.length > paging.perPage;
  const last = rows.at(-1);
  const isDone = paging.direction === "desc" && !hasMore;
  return { rows, paging, end: { hasMore, nextCursor: isDone ? null : cursorOf(last ?? at) } };
}

/** Throws if a replica may lack rows before a position that came from another source and that it has not settled yet. */
function assertCovers({ isReplica }: ReadDeps, settledAt: Temporal.Instant | null, { allottedAt }: Position): void {
  if (isReplica !== true || (settledAt !== null && Temporal.Instant.compare(allottedAt, settledAt) <= 0)) return;
  throw staleRead("the replica may lack allotments before this position");
}

async function pageByNumber(deps: ReadDeps, filters: AllotmentFilters): Promise<AllotmentPage> {
  const { paging, type } = filters;
  // Read before the rows: a later mark might cover allotments that these rows miss, and the cursor would skip them.
  const { settledAt } = await readSettledMark(deps);
  const range = rangeOf(filters);
  const isAscending = paging.direction === "asc";
  const first = filters.after === null ? 0 : await rankOf(deps.db, type, range.after);
  const last = isAscending ? Number.POSITIVE_INFINITY : await rankOf(deps.db, type, range.before);
  const window = pageWindow(paging, first, last);
  const bookmark = await bookmarkAt(deps.db, type, window.start);
  const skipped = window.start - Number(bookmark?.n ?? 0n) * BOOKMARK_EVERY;
  const from = { ...range, after: bookmark ?? FIRST_POSITION };
  const count = window.end - window.start;
  const found = count === 0 ? [] : await selectFrom(deps.db, from, isAscending ? count + 1 : count, skipped);
  const shown = found.slice(0, paging.perPage);
  const rows = isAscending ? shown : shown.toReversed();
  const hasMore = isAscending ? found.length > paging.perPage : window.hasMore;
  return { rows, paging, end: { hasMore, nextCursor: nextCursor(rows, paging, hasMore, settledAt) } };
}

/** Returns the cursor after a page by number: never past the settled mark, so that a reader that continues with cursors skips nothing. */
function nextCursor(
  rows: readonly AllotmentRow[],
  paging: Paging,
  hasMore: boolean,
  settledAt: Temporal.Instant | null,
): string | null {
  if (paging.direction === "desc") {
    const last = rows.at(-1);
    return hasMore && last !== undefined ? cursorOf(last) : null;
  }
  const isSettled = (row: AllotmentRow) =>
    settledAt !== null && Temporal.Instant.compare(row.allottedAt, settledAt) <= 0;
  const lastSettled = rows.findLast(isSettled);
  if (lastSettled !== undefined) return cursorOf(lastSettled);
  return paging.page === 1 ? cursorOf(FIRST_POSITION) : null;
}

function compare(a: Position, b: Position): number {
  return Temporal.Instant.compare(a.allottedAt, b.allottedAt) || (a.uid < b.uid ? -1 : Number(a.uid > b.uid));
}

function later(a: Position, b: Position): Position {
  return compare(a, b) >= 0 ? a : b;
}

function sooner(a: Position, b: Position): Position {
  return compare(a, b) <= 0 ? a : b;
}
