import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type Fault, Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { parseInstant } from "../time/store-time.ts";
import { type ExportRow, waitAfter } from "./export-row.ts";
import { LOCK_EXPORT_REQUESTS, selectExport, selectLastRequest } from "./queries.ts";

export interface ExportRequest {
  /** As sent: a plain date is a day of the store, including an end date. */
  readonly startDatetime: string;
  readonly endDatetime: string;
  /** The credential's name. */
  readonly requestedBy: string;
}

const INSERT = `insert into export (uid, start_at, end_at, requested_at, requested_by)
values ($1, $2, $3, $4, $5)`;

/**
 * Accepts a request for a statement (interface.md 4.8, program.md 2); a worker makes it. Throws `invalid` (422) for a time that cannot be
 * parsed and for a start that is not before the end, and `too_many_requests` (429, with the wait) within 8 hours of the last accepted
 * request that has not failed.
 */
export async function requestExport(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake">,
  request: ExportRequest,
): Promise<ExportRow> {
  const { timeZone } = (await readProgram(tx)).store;
  const startAt = parseInstant(request.startDatetime, { timeZone, edge: "start" });
  const endAt = parseInstant(request.endDatetime, { timeZone, edge: "end" });
  const faults = [
    ...(startAt === null ? [unreadable("/start_datetime")] : []),
    ...(endAt === null ? [unreadable("/end_datetime")] : []),
  ];
  if (startAt === null || endAt === null) throw new Problem("invalid", { faults });
  if (Temporal.Instant.compare(startAt, endAt) >= 0) {
    throw new Problem("invalid", {
      faults: [{ pointer: "/start_datetime", detail: "expected a time before end_datetime" }],
    });
  }
  await tx.execute(LOCK_EXPORT_REQUESTS);
  const now = deps.clock.now();
  const waitS = waitAfter(await selectLastRequest(tx, now), now);
  if (waitS > 0) {
    const at = now.add({ seconds: waitS }).toString({ smallestUnit: "second" });
    const detail = `one export in 8 hours: the next one from ${at}`;
    throw new Problem("too_many_requests", { retryAfterS: waitS, faults: [{ detail }] });
  }
  const uid = deps.random.uid();
  await tx.execute(INSERT, [uid, startAt, endAt, now, request.requestedBy]);
  tx.afterCommit(() => deps.wake.exports());
  const row = await selectExport(tx, uid);
  if (row === undefined) throw new Error("an export vanished");
  return row;
}

function unreadable(pointer: string): Fault {
  return { pointer, detail: "expected an ISO 8601 date or date-time" };
}
