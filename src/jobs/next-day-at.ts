import { wasAhead } from "../db/was-ahead.ts";
import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { sweepAtOrAfter } from "../time/store-time.ts";

/**
 * Returns the first start of a store's day after `doneAt`; if the work was never done, or by a clock that was ahead and has been corrected since, the
 * present time.
 */
export async function nextDayAt(
  deps: Pick<Deps, "db" | "clock">,
  doneAt: Temporal.Instant | null,
): Promise<Temporal.Instant> {
  if (doneAt === null || (await wasAhead(deps, doneAt))) return deps.clock.now();
  const { store } = await readProgram(deps.db);
  return sweepAtOrAfter(doneAt.add({ microseconds: 1 }), "daily", store.timeZone);
}
