import { runBatches } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import {
  type AggregateDeps,
  type AggregateOptions,
  type AggregateStep,
  aggregateSteps,
} from "../metrics/aggregate-steps.ts";
import { selectRange } from "../metrics/range-queries.ts";
import { endOfInstant, type LedgerBookmark } from "../metrics/rollup.ts";
import { readProgram } from "../program/read-program.ts";
import { monthIndex } from "../time/store-time.ts";
import { type LiabilityBook, planBook } from "./book.ts";
import { addSums, deleteSums, lockBook, RANGE_ROWS, sumRange, updateBook } from "./book-queries.ts";
import { countUnpriced } from "./count-unpriced.ts";
import { monthsUntil } from "./month.ts";
import { sumRowsOf } from "./sum-rows.ts";
import { areUnpricedSeparated, compareBookmarks, earlierBookmark, planUnpriced } from "./unpriced.ts";
import { selectUnpricedMark } from "./unpriced-queries.ts";

const LIMITS = { size: { quiet: RANGE_ROWS, busy: 500 }, steps: 20, isByKeys: true };

/**
 * Adds the allotments since the last run to the liability's sums by month, up to the settled mark; returns whether the mark was reached. The
 * sums and the bookmark change in one transaction that locks the book, so each movement counts once, whatever the number of nodes. Points without a
 * price are separated with them, or, where earlier ones are not separated yet, afterwards in transactions of their own: should these fail, nothing
 * else is left uncounted.
 */
export async function aggregateLiability(deps: AggregateDeps, options: AggregateOptions = {}): Promise<boolean> {
  const limits = { ...LIMITS, ...options };
  const isCounted = await aggregateSteps(deps, limits, countStep);
  const isSeparated = await runBatches(deps, limits, (size) => deps.db.txByKeys((tx) => separateStep(tx, size)));
  return isCounted && isSeparated;
}

async function countStep(tx: Tx, { settledAt, size }: AggregateStep): Promise<boolean> {
  const locked = await lockBook(tx);
  const mark = await selectUnpricedMark(tx);
  const { store } = await readProgram(tx);
  const { startsAnew, book } = planBook(locked, store.timeZone, settledAt);
  if (startsAnew) await deleteSums(tx);
  const range = await selectRange(tx, book, { settledAt, size: Math.min(size, RANGE_ROWS) });
  const counted = range === null ? atLeast(book, settledAt) : { ...book, ...range.to };
  if (range !== null)
    await addSums(
      tx,
      sumRowsOf(await sumRange(tx, range, monthsUntil(monthIndex(range.to.allottedAt, book.timeZone), book.timeZone))),
    );
  if (startsAnew || counted !== book) await updateBook(tx, counted);
  const plan = planUnpriced(mark, book);
  if (compareBookmarks(plan.mark, book) === 0) {
    await countUnpriced(tx, { book, plan, to: counted, isEmpty: range === null });
  }
  return range === null || range.isLast;
}

/** Where nothing was allotted up to the settled mark, the book is at the mark. */
function atLeast(book: LiabilityBook, settledAt: Temporal.Instant): LiabilityBook {
  const isBehind = book.allottedAt === null || Temporal.Instant.compare(book.allottedAt, settledAt) < 0;
  return isBehind ? { ...book, ...endOfInstant(settledAt) } : book;
}

/** Separates points without a price in the next allotments that are counted without it. Returns whether the book is reached. */
async function separateStep(tx: Tx, size: number): Promise<boolean> {
  const book = await lockBook(tx);
  const mark = await selectUnpricedMark(tx);
  if (book.allottedAt === null || areUnpricedSeparated(mark, book)) return true;
  const plan = planUnpriced(mark, book);
  const given = { settledAt: book.allottedAt, size: Math.min(size, RANGE_ROWS) };
  const range = await selectRange(tx, plan.mark, given);
  const to = range === null || range.isLast ? book : earlierBookmark<LedgerBookmark>(range.to, book);
  await countUnpriced(tx, { book, plan, to, isEmpty: range === null });
  return compareBookmarks(to, book) === 0;
}
