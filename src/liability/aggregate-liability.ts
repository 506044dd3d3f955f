import type { Tx } from "../db/pool.ts";
import {
  type AggregateDeps,
  type AggregateOptions,
  type AggregateStep,
  aggregateSteps,
} from "../metrics/aggregate-steps.ts";
import { selectRange } from "../metrics/range-queries.ts";
import { endOfInstant } from "../metrics/rollup.ts";
import { readProgram } from "../program/read-program.ts";
import { monthIndex } from "../time/store-time.ts";
import { type LiabilityBook, planBook } from "./book.ts";
import { addSums, deleteSums, lockBook, sumRange, updateBook } from "./book-queries.ts";
import { countUnpriced } from "./count-unpriced.ts";
import { monthsUntil } from "./month.ts";
import { sumRowsOf } from "./sum-rows.ts";
import { selectUnpricedMark } from "./unpriced-queries.ts";

const SIZE = { quiet: 20_000, busy: 500 };
const STEPS = 20;

/**
 * Adds the allotments since the last run to the liability's sums by month, up to the settled mark; returns whether the mark was reached. The
 * sums and the bookmark change in one transaction that locks the book, so each movement counts once, whatever the number of nodes.
 */
export function aggregateLiability(deps: AggregateDeps, options: AggregateOptions = {}): Promise<boolean> {
  return aggregateSteps(deps, { size: SIZE, steps: STEPS, ...options }, aggregateStep);
}

async function aggregateStep(tx: Tx, { settledAt, size }: AggregateStep): Promise<boolean> {
  const locked = await lockBook(tx);
  const mark = await selectUnpricedMark(tx);
  const { store } = await readProgram(tx);
  const { startsAnew, book } = planBook(locked, store.timeZone, settledAt);
  if (startsAnew) await deleteSums(tx);
  const range = await selectRange(tx, book, { settledAt, size });
  const counted = range === null ? atLeast(book, settledAt) : { ...book, ...range.to };
  if (range !== null)
    await addSums(
      tx,
      sumRowsOf(await sumRange(tx, range, monthsUntil(monthIndex(range.to.allottedAt, book.timeZone), book.timeZone))),
    );
  if (startsAnew || counted !== book) await updateBook(tx, counted);
  const isApart = await countUnpriced(tx, { book, counted, mark, size, isEmpty: range === null });
  return (range === null || range.isLast) && isApart;
}

/** Where nothing was allotted up to the settled mark, the book is at the mark. */
function atLeast(book: LiabilityBook, settledAt: Temporal.Instant): LiabilityBook {
  const isBehind = book.allottedAt === null || Temporal.Instant.compare(book.allottedAt, settledAt) < 0;
  return isBehind ? { ...book, ...endOfInstant(settledAt) } : book;
}
