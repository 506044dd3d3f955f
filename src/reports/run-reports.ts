import { readSilentPlace } from "../backup/read-silent-place.ts";
import type { Deps } from "../deps.ts";
import { assertNoSilence } from "../file-calls.ts";
import { isMonthCounted } from "../liability/is-month-counted.ts";
import { readProgram } from "../program/read-program.ts";
import { localDate } from "../time/store-time.ts";
import { makeReport, type ReportSources } from "./make-report.ts";
import { frequencyOf, lastPeriod, REPORT_ATTEMPTS_MAX, REST_HOURS } from "./report.ts";
import {
  beginReport,
  claimReport,
  deleteOldReports,
  hasWaitingReport,
  recordReportFault,
  selectReportSettings,
} from "./report-queries.ts";

const REPORT_DAYS = 90;
const ERROR_LENGTH_MAX = 300;

/**
 * Makes the missing reports of the last complete week or month, once each, that of the liability when its month is counted: a row per kind and
 * period is written first, and the mails are queued in the transaction that ends the report. An attempt that is killed is repeated from the start.
 * Does nothing while reports are off. Returns how many were made. Throws where their folder does not answer: that uses up no attempt.
 */
export async function runReports(
  deps: Deps,
  { sources, signal }: { readonly sources: ReportSources; readonly signal?: AbortSignal },
): Promise<number> {
  const now = deps.clock.now();
  await deleteOldReports(deps.db, now.subtract({ hours: REPORT_DAYS * 24 }));
  const settings = await selectReportSettings(deps.db);
  if (!settings.isOn) return 0;
  const today = localDate(now.subtract({ hours: REST_HOURS }), (await readProgram(deps.db)).store.timeZone);
  for (const kind of settings.kinds) {
    const frequency = frequencyOf(kind, settings);
    const period = lastPeriod(frequency, today);
    const isEarly = kind === "liability" && !(await isMonthCounted(deps.db, period.firstOn.slice(0, 7)));
    if (isEarly) continue; // the next run looks again
    await beginReport(deps.db, { uid: deps.random.uid(), kind, frequency, ...period, at: now });
  }
  if (settings.toFolder && (await hasWaitingReport(deps.db))) await assertAnswering(deps.config.reportsDir);
  let count = 0;
  for (let n = 0; n < settings.kinds.length && signal?.aborted !== true; n++) {
    const report = await claimReport(deps.db, deps.random.uid());
    if (report === undefined) break;
    try {
      if (await makeReport(deps, report, { settings, sources, signal })) count++;
    } catch (error) {
      deps.log.error({ error, report: report.uid, kind: report.kind }, "a report could not be created");
      const text = (error instanceof Error ? error.message : String(error)).replaceAll(/\p{Cc}/gu, " ");
      const fault = { error: text.slice(0, ERROR_LENGTH_MAX).toWellFormed(), attemptsMax: REPORT_ATTEMPTS_MAX };
      await recordReportFault(deps.db, report, { ...fault, at: deps.clock.now() });
      break; // the next run tries it again
    }
  }
  return count;
}

/** A share may be away for longer than the attempts of a report last: each would fail at once, or after its disk was asked. */
async function assertAnswering(folder: string | undefined): Promise<void> {
  if (folder === undefined) return; // the attempt says so
  assertNoSilence(folder);
  const silent = await readSilentPlace(folder);
  if (silent !== null) throw new Error(silent);
}
