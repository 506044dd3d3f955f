import type { Queryable } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { parseTimeRange } from "./time-range.ts";

/** Returns the time of a field `since`: a day of the store, or a date-time; null if it is absent. Throws `invalid`. */
export async function readSince(
  queryable: Queryable,
  since: string | undefined,
  place: "body" | "query" = "query",
): Promise<Temporal.Instant | null> {
  if (since === undefined) return null;
  const { store } = await readProgram(queryable);
  const range = parseTimeRange({ since }, store.timeZone);
  if (!("faults" in range)) return range.since;
  const faults = range.faults.map(({ detail }) =>
    place === "body" ? { pointer: "/since", detail } : { parameter: "since", detail },
  );
  throw new Problem("invalid", { faults });
}
