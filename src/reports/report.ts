import type { Language } from "../wire/language.ts";
import type { REPORT_STATES, ReportFrequency, ReportKind } from "../wire/reports.ts";

export interface ReportSettings {
  readonly isOn: boolean;
  readonly kinds: readonly ReportKind[];
  readonly frequency: ReportFrequency;
  /** E-mail addresses, in lower case. */
  readonly addresses: readonly string[];
  /** Whether they are also written into the folder of POINTKEEPER_REPORTS_DIR. */
  readonly toFolder: boolean;
  readonly language: Language;
}

export function valuesOfSettings(settings: ReportSettings): readonly unknown[] {
  const { isOn, kinds, frequency, addresses, toFolder, language } = settings;
  return [isOn, kinds, frequency, addresses, toFolder, language];
}

/** Days of the store, both included: `YYYY-MM-DD`. */
export interface ReportPeriod {
  readonly firstOn: string;
  readonly lastOn: string;
}

/** A report, in progress or finished. */
export interface Report extends ReportPeriod {
  readonly uid: string;
  readonly kind: ReportKind;
  readonly frequency: ReportFrequency;
  readonly state: (typeof REPORT_STATES)[number];
  readonly attempts: number;
  readonly attemptUid: string | null;
  readonly begunAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant | null;
  readonly fileName: string | null;
  readonly byteCount: bigint | null;
  readonly mails: number;
  readonly wasAttached: boolean | null;
  readonly folder: string | null;
  readonly error: string | null;
}

/** A larger file is not attached: the mail then has a link to the page, which requires signing in. */
export const ATTACHED_BYTES_MAX = 5 * 1_048_576;

/** How long after the end of a period its report is made, because figures are some seconds behind. */
export const REST_HOURS = 1;

/** The maximum number of attempts per report. */
export const REPORT_ATTEMPTS_MAX = 5;

/** The frequency of a kind: liability is always monthly, because it is counted by month. */
export function frequencyOf(kind: ReportKind, { frequency }: Pick<ReportSettings, "frequency">): ReportFrequency {
  return kind === "liability" ? "monthly" : frequency;
}

/** Returns the last complete week, Monday to Sunday, or month before a day of the store. */
export function lastPeriod(frequency: ReportFrequency, today: string): ReportPeriod {
  const day = Temporal.PlainDate.from(today);
  const begin = frequency === "weekly" ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
  const first = frequency === "weekly" ? begin.subtract({ days: 7 }) : begin.subtract({ months: 1 });
  return { firstOn: first.toString(), lastOn: begin.subtract({ days: 1 }).toString() };
}

/** `ledger-2026-03-01-2026-03-31.csv`. */
export function reportFileName(kind: ReportKind, { firstOn, lastOn }: ReportPeriod): string {
  return `${kind}-${firstOn}-${lastOn}.csv`;
}
