import { adaptiveBatchSize, type BackpressureDeps, pauseWhileBusy } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { advanceSettledMark } from "../ledger/advance-settled-mark.ts";
import { readProgram } from "../program/read-program.ts";
import { selectRange } from "./range-queries.ts";
import { endOfInstant, planRollups, type Rollup } from "./rollup.ts";
import { aggregateRange, carryOut, lockRollups, moveBookmark, selectRollups, showRollup } from "./rollup-queries.ts";
import { storeDays } from "./store-days.ts";

export interface AggregateOptions {
  /** Allotments a transaction; absent: many, and few while requests are posting. */
  readonly size?: number;
  /** Transactions at most; 20 when absent: the rest is the next run's. */
  readonly steps?: number;
}

const SIZE = { quiet: 50_000, busy: 500 };
const STEPS = 20;

/**
 * Adds what was allotted since to the store's sums by day, up to the settled mark; answers whether it came so far. Sums and
 * bookmark move in one transaction that holds the books, so that each allotment counts once however many nodes do this and
 * wherever one is killed. When the store's time zone changes, new sums are made beside the old, which are shown until then.
 */
export async function aggregateMetrics(
  deps: BackpressureDeps & Pick<Deps, "db" | "clock">,
  { size, steps = STEPS }: AggregateOptions = {},
): Promise<boolean> {
  const { settledAt } = await advanceSettledMark(deps);
  if (settledAt === null) return false;
  for (let step = 0; step < steps; step++) {
    const startedMs = performance.now();
    if (await deps.db.tx((tx) => foldStep(tx, settledAt, size ?? adaptiveBatchSize(deps, SIZE)))) return true;
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
  return false;
}

/** One step of each book; answers whether all have come to the mark and the store's time zone is shown. */
async function foldStep(tx: Tx, settledAt: Temporal.Instant, size: number): Promise<boolean> {
  const locked = await lockRollups(tx);
  const { store } = await readProgram(tx);
  const plan = planRollups(locked, store.timeZone);
  await carryOut(tx, plan);
  const books = plan.drop === null && plan.open === null ? locked : await selectRollups(tx);
  const shown = books.find(({ isShown }) => isShown);
  let isDone = true;
  for (const book of books) {
    if (book.timeZone === "") continue;
    const isAtMark = await foldBook(tx, book, settledAt, size);
    if (isAtMark && !book.isShown && shown !== undefined) await showRollup(tx, book.edition, shown.edition);
    isDone &&= isAtMark;
  }
  return isDone;
}

async function foldBook(tx: Tx, book: Rollup, settledAt: Temporal.Instant, size: number): Promise<boolean> {
  const range = await selectRange(tx, book, { settledAt, size });
  if (range === null) {
    await moveBookmark(tx, book.edition, endOfInstant(settledAt));
    return true;
  }
  await aggregateRange(tx, book.edition, range, storeDays(range.firstAt, range.to.allottedAt, book.timeZone));
  await moveBookmark(tx, book.edition, range.to);
  return range.isLast;
}
