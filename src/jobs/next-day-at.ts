import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { sweepAtOrAfter } from "../time/store-time.ts";

/** The first start of a day of the store after `doneAt`; of work that was never done, now. */
export async function nextDayAt(
  deps: Pick<Deps, "db" | "clock">,
  doneAt: Temporal.Instant | null,
): Promise<Temporal.Instant> {
  if (doneAt === null) return deps.clock.now();
  const { store } = await readProgram(deps.db);
  return sweepAtOrAfter(doneAt.add({ microseconds: 1 }), "daily", store.timeZone);
}
