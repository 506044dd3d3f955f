import { revisionOf } from "../../http/revision.ts";
import { type Report, type ReportSettings, valuesOfSettings } from "../../reports/report.ts";
import { formatInstant } from "../../time/store-time.ts";
import type { ReportsInput, ShownReport, ShownReports } from "./schema.ts";

/** Settings and the latest reports, as an owner sees them. */
export function reportsView(
  settings: ReportSettings,
  reports: readonly Report[],
  { hasMail, hasFolder }: { readonly hasMail: boolean; readonly hasFolder: boolean },
): ShownReports {
  const { isOn, kinds, frequency, addresses, toFolder, language } = settings;
  return {
    ...{ is_on: isOn, kinds: [...kinds], frequency, addresses: [...addresses], to_folder: toFolder, language },
    revision: revisionOf(valuesOfSettings(settings)),
    ...{ has_mail: hasMail, has_folder: hasFolder },
    reports: reports.map(reportView),
  };
}

function reportView(report: Report): ShownReport {
  const { uid, kind, frequency, firstOn, lastOn, state, begunAt, endedAt, byteCount } = report;
  return {
    ...{ uid, kind, frequency, first_on: firstOn, last_on: lastOn, state },
    begun_at: formatInstant(begunAt),
    ended_at: endedAt === null ? null : formatInstant(endedAt),
    file_name: report.fileName,
    byte_count: byteCount === null ? null : Number(byteCount),
    mails: report.mails,
    was_attached: report.wasAttached,
    folder: report.folder,
    error: report.error,
  };
}

export function reportSettingsOf({
  is_on,
  kinds,
  frequency,
  addresses,
  to_folder,
  language,
}: ReportsInput): ReportSettings {
  return { isOn: is_on, kinds, frequency, addresses, toFolder: to_folder, language };
}
