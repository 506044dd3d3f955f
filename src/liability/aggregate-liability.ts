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
import { planBook } from "./book.ts";
import { addSums, deleteSums, lockBook, type MovementSums, type SumRow, sumRange, updateBook } from "./book-queries.ts";
import { monthsUntil } from "./month.ts";
import { movementKindOf } from "./movement-kind.ts";

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
  const { store } = await readProgram(tx);
  const { startsAnew, book } = planBook(locked, store.timeZone, settledAt);
  if (startsAnew) await deleteSums(tx);
  const range = await selectRange(tx, book, { settledAt, size });
  if (range === null) {
    const isBehind = book.allottedAt === null || Temporal.Instant.compare(book.allottedAt, settledAt) < 0;
    if (isBehind || startsAnew) await updateBook(tx, { ...book, ...endOfInstant(settledAt) });
    return true;
  }
  const months = monthsUntil(monthIndex(range.to.allottedAt, book.timeZone), book.timeZone);
  await addSums(tx, byKind(await sumRange(tx, range, months)));
  await updateBook(tx, { ...book, ...range.to });
  return range.isLast;
}

/** Adds up the sums whose type, sign and source make the same kind of movement. */
function byKind(sums: readonly MovementSums[]): SumRow[] {
  const rows = new Map<string, SumRow>();
  for (const { type, isGain, source, ...sum } of sums) {
    const kind = movementKindOf({ type, isGain, source });
    const key = [sum.month, sum.cohort, sum.origin, kind, sum.causeMonth].join(" ");
    const known = rows.get(key) ?? { ...sum, kind, points: 0n, movements: 0n, money: 0n };
    rows.set(key, {
      ...known,
      points: known.points + sum.points,
      movements: known.movements + sum.movements,
      money: known.money + sum.money,
    });
  }
  return [...rows.values()];
}
