import type { Deps } from "../deps.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { openPorts } from "./index.ts";
import { changesMark, type Mark, saveMark, selectMark } from "./mark-queries.ts";
import type { HistoryPort, Resource } from "./platform-port.ts";
import { takeChanged } from "./take-changed.ts";

/** This period is read again, for changes that the platform listed late; what was processed before changes nothing. */
const OVERLAP_HOURS = 24;

/** Products are read before the orders that name them, which wait no longer than this. */
const HEAD_START_MS = 600_000;

interface ReconcileOptions {
  readonly signal: AbortSignal;
  readonly headStartMs?: number;
}

/**
 * Reads what changed at the platform since the last run, and the day before it, and passes it through the intake (platforms.md
 * 4.3, rule 7), which makes up for webhooks that were never delivered. Each resource has its mark, which moves with each page, so that the
 * next run continues one that was killed; the first run begins one day back. A resource that fails keeps no other from being read, and
 * products that take long are read beside the orders. Does nothing where no platform can be called. Returns the number of changes that were
 * not known; throws where a platform fails.
 */
export async function reconcilePlatform(
  deps: Deps,
  { signal, headStartMs = HEAD_START_MS }: ReconcileOptions,
): Promise<number> {
  let fresh = 0;
  const failures: unknown[] = [];
  const take = async (history: HistoryPort, resource: Resource): Promise<void> => {
    try {
      const taken = await takeResource(deps, history, resource, signal);
      fresh += taken;
    } catch (error) {
      failures.push(error); // thrown once all others are read
    }
  };
  for (const { history } of openPorts(deps)) {
    const begun: Promise<void>[] = [];
    for (const resource of history.resources) {
      if (signal.aborted) break;
      const taking = take(history, resource);
      begun.push(taking);
      if (resource === "products") await waitAtMost(taking, headStartMs);
      else await taking;
    }
    await Promise.all(begun);
  }
  if (failures.length > 0) throw failures[0];
  return fresh;
}

async function takeResource(
  deps: Deps,
  history: HistoryPort,
  resource: Resource,
  signal: AbortSignal,
): Promise<number> {
  const startedAt = deps.clock.now();
  const mark = changesMark(history, resource);
  const read = await selectMark(deps.db, mark);
  const since = (read?.changedAt ?? startedAt).subtract({ hours: OVERLAP_HOURS });
  if (read === null) await saveMark(deps.db, mark, { changedAt: startedAt, position: null });
  const pages = history.changes(resource, since, signal);
  const save = (to: Mark) => saveMark(deps.db, mark, to);
  return (await takeChanged(deps, { resource, pages, save, since })).fresh;
}
