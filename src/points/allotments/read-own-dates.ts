import type { Deps } from "../../deps.ts";
import { type OwnDateFault, type OwnDates, ownDatesFault } from "../../ledger/expiry/own-dates.ts";
import { type Fault, Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { parseInstant } from "../../time/store-time.ts";

/** The dates of its points in a request, as text. */
interface StatedDates {
  readonly point_value: number;
  readonly expires_at?: string | null | undefined;
  readonly earned_at?: string | null | undefined;
}

const NO_DATES: OwnDates = { expiresAt: null, earnedAt: null };

/**
 * Returns the own dates of a request's points; if it names none, nothing is read. A plain date means the end of that day as an expiry, and
 * its start as an earning date, in the store's time zone. Throws `invalid` naming the field.
 */
export async function readOwnDates(deps: Pick<Deps, "db" | "clock">, stated: StatedDates): Promise<OwnDates> {
  const { expires_at: expires = null, earned_at: earned = null } = stated;
  if (expires === null && earned === null) return NO_DATES;
  if (stated.point_value < 0) throw refused(expires === null ? "earned_at" : "expires_at", ONLY_GAINS);
  const { expiration, store } = await readProgram(deps.db);
  const rules = { ...expiration, timeZone: store.timeZone };
  const expiresAt = expires === null ? null : parseInstant(expires, { timeZone: store.timeZone, edge: "end" });
  const earnedAt = earned === null ? null : parseInstant(earned, { timeZone: store.timeZone, edge: "start" });
  const unread: Fault[] = [];
  if (expires !== null && expiresAt === null) unread.push({ pointer: "/expires_at", detail: NO_TIME });
  if (earned !== null && earnedAt === null) unread.push({ pointer: "/earned_at", detail: NO_TIME });
  if (unread.length > 0) throw new Problem("invalid", { faults: unread });
  const fault = ownDatesFault({ expiresAt, earnedAt }, deps.clock.now(), rules);
  if (fault !== null) throw refused(...FAULTS[fault]);
  return { expiresAt, earnedAt };
}

const NO_TIME = "expected an ISO 8601 date-time or date, or null";
const ONLY_GAINS = "expected only with a point_value above 0";

const FAULTS: Readonly<Record<OwnDateFault, readonly [field: string, detail: string]>> = {
  expires_in_past: ["expires_at", "expected a time in the future"],
  expires_too_far: ["expires_at", "expected a time at most 100 years ahead"],
  earned_in_future: ["earned_at", "expected a time that is not in the future"],
  earned_too_early: ["earned_at", "expected a time in 1970 or later"],
  earned_and_expired: [
    "earned_at",
    "expected a time whose points have not expired by the program's settings, or an expires_at with it",
  ],
};

function refused(field: string, detail: string): Problem {
  return new Problem("invalid", { faults: [{ pointer: `/${field}`, detail }] });
}
