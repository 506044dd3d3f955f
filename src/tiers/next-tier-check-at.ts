import type { Queryable } from "../db/pool.ts";
import { selectOldestOpen } from "./evaluation-queries.ts";
import { readDueCheck } from "./read-due-check.ts";

/**
 * Returns when `evaluateTiers` next has something to do: the next check that was not made yet, or a run that was begun or requested and is
 * not finished (program.md 6). The first check is the one after the program's first version.
 */
export async function nextTierCheckAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [check, open] = await Promise.all([readDueCheck(queryable), selectOldestOpen(queryable)]);
  if (check === null || open === undefined) return check?.at ?? open?.at ?? null;
  return Temporal.Instant.compare(check.at, open.at) < 0 ? check.at : open.at;
}
