import type { Deps } from "../deps.ts";
import { openPorts } from "./index.ts";
import { changesMark, type Mark, saveMark, selectMark } from "./mark-queries.ts";
import type { HistoryPort, Resource } from "./platform-port.ts";
import { takeChanged } from "./take-changed.ts";

/** This period is read again, for changes that the platform listed late; what was processed before changes nothing. */
const OVERLAP_HOURS = 24;

/**
 * Reads what changed at the platform since the last run, and the day before it, and passes it through the intake (platforms.md
 * 4.3, rule 7), which makes up for webhooks that were never delivered. The mark moves with each page, so that the next run continues
 * one that was killed; the first run begins one day back. Does nothing where no platform can be called. Returns the number of changes
 * that were not known; throws where a platform fails.
 */
export async function reconcilePlatform(deps: Deps, { signal }: { readonly signal: AbortSignal }): Promise<number> {
  let fresh = 0;
  const failures: unknown[] = [];
  for (const { history } of openPorts(deps)) {
    try {
      for (const resource of history.resources) fresh += await takeResource(deps, history, resource, signal);
    } catch (error) {
      failures.push(error); // a platform that is down does not stop the others from being read
    }
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
