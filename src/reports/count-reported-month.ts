import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { aggregateLiability } from "../liability/aggregate-liability.ts";
import { selectBook } from "../liability/book-queries.ts";
import { isMonthCounted } from "../liability/is-month-counted.ts";
import { selectUnpricedMark } from "../liability/unpriced-queries.ts";
import { readProgram } from "../program/read-program.ts";
import { formatInstant, localDate } from "../time/store-time.ts";
import { lastPeriod, REST_HOURS } from "./report.ts";
import { selectReportSettings } from "./report-queries.ts";

/** For how many days after a month nobody is notified that it is not counted. */
const WAIT_DAYS = 1;
/** How often, and after which pause, a run tries again where counting does not advance: the settled mark may be behind for some seconds. */
const TRIES = 10;
const PAUSE_MS = 500;

/** The month of a liability report is not counted, although counting was tried just now. */
class MonthNotCountedError extends Error {
  override readonly name = "MonthNotCountedError";
}

/**
 * Counts the allotments of the month for which the report of the liability waits. Throws MonthNotCountedError with the reason from a day after
 * the month on, by the store's clock, if counting fails or does not advance; not while it advances, however long the worker was stopped. Returns
 * how many months are counted: 0 or 1.
 */
export async function countReportedMonth(deps: Deps, signal?: AbortSignal): Promise<number> {
  const settings = await selectReportSettings(deps.db);
  if (!(settings.isOn && settings.kinds.includes("liability"))) return 0;
  const { timeZone } = (await readProgram(deps.db)).store;
  const dayOf = (hours: number) => localDate(deps.clock.now().subtract({ hours }), timeZone);
  const { firstOn, lastOn } = lastPeriod("monthly", dayOf(REST_HOURS));
  const month = firstOn.slice(0, "YYYY-MM".length);
  if (await isMonthCounted(deps.db, month)) return 0;
  const before = await placeOf(deps);
  const reason = await count(deps, { month, before }, signal).catch(async (error: unknown) => {
    return (await placeOf(deps)) === before ? textOf(error) : null; // counting is tried again
  });
  if (reason === null) return (await isMonthCounted(deps.db, month)) ? 1 : 0;
  const text = `The report of the liability of ${month} waits, because the allotments of the month are not all counted: ${reason}`;
  if (dayOf(REST_HOURS + HOURS_PER_DAY * WAIT_DAYS) > lastOn) throw new MonthNotCountedError(text);
  deps.log.warn({ month, reason }, "the month of a liability report is not counted yet");
  return 0;
}

const HOURS_PER_DAY = 24;

/** Counts; returns null if the month is complete, or if counting advanced from a place, otherwise the reason why it does not. */
async function count(
  deps: Deps,
  { month, before }: { readonly month: string; readonly before: string },
  signal: AbortSignal | undefined,
): Promise<string | null> {
  for (let n = 0; n < TRIES && signal?.aborted !== true; n++) {
    await aggregateLiability(deps);
    if ((await placeOf(deps)) !== before || (await isMonthCounted(deps.db, month))) return null;
    await delay(PAUSE_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {}); // stopping ends the pause
  }
  if (signal?.aborted === true) return null;
  const { allottedAt } = await selectBook(deps.db);
  const until = allottedAt === null ? "" : ` after ${formatInstant(allottedAt)}`;
  return `a transaction that writes to the database has been open for long, so that no allotment${until} can be counted.`;
}

/** Returns up to which allotment everything is counted. */
async function placeOf({ db }: Deps): Promise<string> {
  const [book, mark] = [await selectBook(db), await selectUnpricedMark(db)];
  return [book, mark].map(({ allottedAt, allotmentUid }) => `${allottedAt} ${allotmentUid}`).join(", ");
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
