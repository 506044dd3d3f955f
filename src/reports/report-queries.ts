import type { Queryable, Tx } from "../db/pool.ts";
import type { ReportFrequency, ReportKind } from "../wire/reports.ts";
import type { Report, ReportPeriod, ReportSettings } from "./report.ts";

const SETTINGS = `select is_on as "isOn", kinds, frequency, addresses, to_folder as "toFolder", language
from report_setting`;

export async function selectReportSettings(
  queryable: Queryable,
  locks: "share" | "update" | null = null,
): Promise<ReportSettings> {
  const [row] = await queryable.query<ReportSettings>(locks === null ? SETTINGS : `${SETTINGS} for ${locks}`);
  if (row === undefined) throw new Error("the row of the reports' settings is gone");
  return row;
}

export async function writeReportSettings(tx: Tx, settings: ReportSettings): Promise<void> {
  const { isOn, kinds, frequency, addresses, toFolder, language } = settings;
  await tx.execute(
    "update report_setting set is_on = $1, kinds = $2, frequency = $3, addresses = $4, to_folder = $5, language = $6",
    [isOn, kinds, frequency, addresses, toFolder, language],
  );
}

const COLUMNS = `r.uid,
  r.kind,
  r.frequency,
  r.first_on as "firstOn",
  r.last_on as "lastOn",
  r.state,
  r.attempts,
  r.attempt_uid as "attemptUid",
  r.begun_at as "begunAt",
  r.ended_at as "endedAt",
  r.file_name as "fileName",
  r.byte_count as "byteCount",
  r.mails,
  r.was_attached as "wasAttached",
  r.folder,
  r.error`;

/** Returns the newest reports. */
export function selectReports(queryable: Queryable, limit: number): Promise<Report[]> {
  return queryable.query<Report>(`select ${COLUMNS}\nfrom report r\norder by r.begun_at desc, r.uid desc\nlimit $1`, [
    limit,
  ]);
}

export async function selectReport(queryable: Queryable, uid: string): Promise<Report | undefined> {
  const [row] = await queryable.query<Report>(`select ${COLUMNS}\nfrom report r\nwhere r.uid = $1`, [uid]);
  return row;
}

const BEGIN = `insert into report (uid, kind, frequency, first_on, last_on, begun_at)
values ($1, $2, $3, $4::date, $5::date, $6)
on conflict (kind, frequency, first_on) do nothing`;

/** Creates the report of a period, unless it exists. */
export async function beginReport(
  queryable: Queryable,
  report: ReportPeriod & {
    readonly uid: string;
    readonly kind: ReportKind;
    readonly frequency: ReportFrequency;
    readonly at: Temporal.Instant;
  },
): Promise<void> {
  const { uid, kind, frequency, firstOn, lastOn, at } = report;
  await queryable.execute(BEGIN, [uid, kind, frequency, firstOn, lastOn, at]);
}

const CLAIM = `update report r
set attempt_uid = $1,
  attempts = r.attempts + 1
where r.uid = (
  select w.uid
  from report w
  where w.state = 'making'
  order by w.begun_at, w.uid
  limit 1
  for update)
returning ${COLUMNS}`;

/** Claims the first report to be made. An earlier claimant writes nothing more to it. */
export async function claimReport(queryable: Queryable, attemptUid: string): Promise<Report | undefined> {
  const [row] = await queryable.query<Report>(CLAIM, [attemptUid]);
  return row;
}

/** Whether a report is still to be made. */
export async function hasWaitingReport(queryable: Queryable): Promise<boolean> {
  const text = `select exists (select from report where state = 'making') as "isThere"`;
  const [row] = await queryable.query<{ isThere: boolean }>(text);
  return row?.isThere === true;
}

/** Deletes the pieces of earlier attempts. */
export async function clearReportPieces(queryable: Queryable, { uid, attemptUid }: Report): Promise<void> {
  await queryable.execute("delete from report_piece where report_uid = $1 and attempt_uid <> $2", [uid, attemptUid]);
}

const INSERT_PIECE = `insert into report_piece (report_uid, attempt_uid, n, bytes)
select r.uid, r.attempt_uid, $3, $4
from report r
where r.uid = $1
  and r.attempt_uid = $2
  and r.state = 'making'`;

/** Stores a piece of the file; false: another attempt has begun. */
export async function insertReportPiece(
  queryable: Queryable,
  { uid, attemptUid }: Report,
  n: number,
  bytes: Buffer,
): Promise<boolean> {
  return (await queryable.execute(INSERT_PIECE, [uid, attemptUid, n, bytes])) === 1;
}

/** Returns a piece of the finished file, counted from 0. */
export async function selectReportPiece(
  queryable: Queryable,
  { uid, attemptUid }: Pick<Report, "uid" | "attemptUid">,
  n: number,
): Promise<Buffer | undefined> {
  const text = "select bytes from report_piece where report_uid = $1 and attempt_uid = $2 and n = $3";
  const [row] = await queryable.query<{ bytes: Buffer }>(text, [uid, attemptUid, n]);
  return row?.bytes;
}

const FINISH = `update report
set state = 'ready',
  ended_at = $3,
  file_name = $4,
  byte_count = $5,
  mails = $6,
  was_attached = $7,
  folder = $8,
  error = null
where uid = $1
  and attempt_uid = $2
  and state = 'making'`;

export interface FinishedReport {
  readonly at: Temporal.Instant;
  readonly fileName: string;
  readonly byteCount: number;
  readonly mails: number;
  readonly wasAttached: boolean | null;
  readonly folder: string | null;
}

/** Returns false if another attempt has begun. */
export async function finishReport(tx: Tx, { uid, attemptUid }: Report, done: FinishedReport): Promise<boolean> {
  const { at, fileName, byteCount, mails, wasAttached, folder } = done;
  const params = [uid, attemptUid, at, fileName, byteCount, mails, wasAttached, folder];
  return (await tx.execute(FINISH, params)) === 1;
}

const NOTE_FAULT = `update report
set error = $3,
  state = case when attempts >= $4 then 'failed' else state end,
  ended_at = case when attempts >= $4 then $5::timestamptz end
where uid = $1
  and attempt_uid = $2
  and state = 'making'`;

/** Stores why an attempt failed; the last attempt ends the report. */
export async function recordReportFault(
  queryable: Queryable,
  { uid, attemptUid }: Report,
  fault: { readonly error: string; readonly attemptsMax: number; readonly at: Temporal.Instant },
): Promise<void> {
  await queryable.execute(NOTE_FAULT, [uid, attemptUid, fault.error, fault.attemptsMax, fault.at]);
}

const PRUNE = `with old as (
  delete from report
  where begun_at < $1
  returning uid)
delete from report_piece
where report_uid in (select uid from old)`;

/** Removes reports made before a time, with their files. */
export async function deleteOldReports(queryable: Queryable, before: Temporal.Instant): Promise<void> {
  await queryable.execute(PRUNE, [before]);
}
