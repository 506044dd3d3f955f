import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import type { ReconcileTally } from "../intake/reconcile-lines.ts";
import { AnotherRunError } from "./connect-error.ts";
import { beginHistory, historyMark, type Mark, saveHistoryMark, selectHistoryStart } from "./mark-queries.ts";
import type { HistoryPort, Resource } from "./platform-port.ts";
import { takeChanged } from "./take-changed.ts";

export interface BackFillOrder {
  readonly resource: Resource;
  /** Resources that last changed before this moment are left out. */
  readonly since: Temporal.Instant;
  readonly signal: AbortSignal;
  /** Called after each page; `total` is undefined where the platform did not report it. */
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

/** How often a page that failed is fetched, each time after a longer pause. */
const TRIES = 4;
const PAUSE_MS = 250;

/**
 * Reads the history of a resource from the platform and passes it through the intake; what is known already changes nothing. The position
 * is saved with each page, so that the next run continues one that was killed; a run that begins earlier than those before it reads all
 * from there. Memory is constant. Throws where the platform keeps failing, and where another run has begun since.
 */
export async function backFill(
  deps: Deps,
  history: HistoryPort,
  { resource, since, signal, onProgress }: BackFillOrder,
): Promise<ReconcileTally> {
  const mark = historyMark(history, resource);
  const run = { mark, uid: deps.random.uid() };
  await deps.db.tx((tx) => beginHistory(tx, run, since));
  const save = (read: Mark) => deps.db.tx((tx) => saveHistoryMark(tx, run, read));
  const total = await history.count(resource, await selectHistoryStart(deps.db, mark, since));
  const sum: ReconcileTally = { lines: 0, fresh: 0, known: 0, ignored: 0, failed: 0 };
  for (let failures = 0; ; ) {
    const before = { ...sum };
    const onPage = (tally: Readonly<ReconcileTally>) => {
      for (const name of ["lines", "fresh", "known", "ignored", "failed"] as const)
        sum[name] = before[name] + tally[name];
      if (tally.lines > 0) failures = 0; // a page without lines, which only gives a position, is no progress
      onProgress?.(sum.lines, total);
    };
    try {
      const start = await selectHistoryStart(deps.db, mark, since);
      const pages = history.past(resource, start, signal);
      await takeChanged(deps, { resource, pages, save, since: start.since, onPage });
      return sum;
    } catch (error) {
      failures += 1;
      if (failures >= TRIES || signal.aborted || error instanceof AnotherRunError) throw error;
      deps.log.warn({ error, resource }, "a page of the platform's history was lost: it is fetched again");
      await delay(PAUSE_MS * 2 ** failures, undefined, { signal });
    }
  }
}
