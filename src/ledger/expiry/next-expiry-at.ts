import type { Queryable } from "../../db/pool.ts";
import { readProgram } from "../../program/read-program.ts";
import { selectFirstDates } from "./due-queries.ts";
import { earliestSweep } from "./due-search.ts";

/** Returns a start of a store day before which `expirePoints` has nothing to write; null: never (program.md 5). */
export async function nextExpiryAt(queryable: Queryable): Promise<Temporal.Instant | null> {
  const { expiration, store } = await readProgram(queryable);
  return earliestSweep({ ...expiration, timeZone: store.timeZone }, await selectFirstDates(queryable));
}
