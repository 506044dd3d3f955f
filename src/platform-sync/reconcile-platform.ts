import type { Deps } from "../deps.ts";
import { openPorts } from "./index.ts";
import { changesMark, saveMark, selectMark } from "./mark-queries.ts";
import type { HistoryPort, Resource } from "./platform-port.ts";
import { takeChanged } from "./take-changed.ts";

/** Changes that the platform listed late are read again; what was taken before changes nothing. */
const OVERLAP_HOURS = 24;

/**
 * Reads what changed at the platform since the last time, and a day before that, and passes it through the intake (platforms.md
 * 4.3, rule 7): what was never delivered is made up for. The mark moves with each page, so that a run that was killed is
 * continued; the first run begins a day back. Does nothing where no platform can be called. Returns how many were not known; throws
 * where a platform fails.
 */
export async function reconcilePlatform(deps: Deps, { signal }: { readonly signal: AbortSignal }): Promise<number> {
  let fresh = 0;
  const failures: unknown[] = [];
  for (const { history } of openPorts(deps)) {
    try {
      for (const resource of history.resources) fresh += await takeResource(deps, history, resource, signal);
    } catch (error) {
      failures.push(error); // one platform that is away keeps no other from being read
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
  return (await takeChanged(deps, { resource, pages, mark, since })).fresh;
}
