import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { readSilentPlace } from "../backup/read-silent-place.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { BYTE_ORDER_MARK } from "../exports/csv-line.ts";
import { gatherPieces } from "../exports/pieces.ts";
import { STATEMENT_HEADER, statementLines } from "../exports/statement-lines.ts";
import { whileAnswering } from "../file-calls.ts";
import { journalCsv } from "../liability/journal.ts";
import { parseMonth } from "../liability/month.ts";
import { readJournal } from "../liability/read-journal.ts";
import { enqueueMail } from "../mail/enqueue-mail.ts";
import { htmlOfText } from "../mail/html-of-text.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { startOfDate } from "../time/store-time.ts";
import { readReportPieces } from "./read-report-pieces.ts";
import { ATTACHED_BYTES_MAX, type Report, type ReportSettings, reportFileName } from "./report.ts";
import { clearReportPieces, finishReport, insertReportPiece, selectReportSettings } from "./report-queries.ts";
import { reportMail } from "./report-texts.ts";

/** Sources of lines that come from folders above this one. */
export interface ReportSources {
  /** Returns the lines of the ledger of some days of the store, both included, after their header. */
  readonly ledger: (
    deps: Deps,
    period: { readonly from: string; readonly to: string },
  ) => Promise<AsyncIterable<string>>;
}

export interface MakeOptions {
  readonly settings: ReportSettings;
  readonly sources: ReportSources;
  readonly signal: AbortSignal | undefined;
}

const PIECE_BYTES = 262_144;
const MAIL_DAYS = 7;
/** So much is written before it has to be on the disk: the limit of a call would not be enough for all that a large memory holds back for a slow share. */
const SYNC_BYTES = 2 ** 24;

/** Another attempt has begun, and has removed the pieces of this one. */
class SupersededError extends Error {}

/**
 * Writes the file of a report into the database in constant memory, then into the folder if one is set. Ends the report and queues its mails in one
 * transaction. Returns false if another attempt has begun or the signal came.
 */
export async function makeReport(deps: Deps, report: Report, options: MakeOptions): Promise<boolean> {
  try {
    return await makeAlone(deps, report, options);
  } catch (error) {
    if (error instanceof SupersededError) return false;
    throw error;
  }
}

async function makeAlone(deps: Deps, report: Report, options: MakeOptions): Promise<boolean> {
  const { settings, sources, signal } = options;
  await clearReportPieces(deps.db, report);
  const byteCount = await writePieces(deps, report, sources, signal);
  if (byteCount === null) return false;
  const fileName = reportFileName(report.kind, report);
  const folder = settings.toFolder ? await writeFile(deps, report, { fileName, byteCount }) : null;
  return await deps.db.tx(async (tx) => {
    const present = await selectReportSettings(tx, "share"); // who was removed while it was made gets it no more
    const sent = await mailReport(tx, deps, report, { settings: present, byteCount, fileName });
    const isFinished = await finishReport(tx, report, { at: deps.clock.now(), fileName, byteCount, folder, ...sent });
    if (!isFinished) throw new SupersededError(); // its mails are not sent
    return true;
  });
}

async function writePieces(
  deps: Deps,
  report: Report,
  sources: ReportSources,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const gatherer = gatherPieces(PIECE_BYTES);
  let [n, bytes] = [0, 0];
  const keep = async (piece: Buffer | null): Promise<boolean> => {
    if (piece === null) return true;
    bytes += piece.length;
    return await insertReportPiece(deps.db, report, n++, piece);
  };
  gatherer.add(BYTE_ORDER_MARK);
  for await (const lines of linesOf(deps, report, sources)) {
    if (signal?.aborted === true || !(await keep(gatherer.add(lines)))) return null;
  }
  return (await keep(gatherer.rest())) ? bytes : null;
}

async function* linesOf(deps: Deps, report: Report, sources: ReportSources): AsyncGenerator<string> {
  const { kind, firstOn, lastOn } = report;
  if (kind === "liability") {
    yield await journalOf(deps, firstOn.slice(0, 7));
  } else if (kind === "ledger") {
    yield* await sources.ledger(deps, { from: firstOn, to: lastOn });
  } else {
    const { timeZone } = (await readProgram(deps.db)).store;
    const endOn = Temporal.PlainDate.from(lastOn).add({ days: 1 }).toString();
    yield STATEMENT_HEADER;
    const period = { startAt: startOfDate(firstOn, timeZone), endAt: startOfDate(endOn, timeZone) };
    for await (const lines of statementLines(deps, period)) yield lines.join("");
  }
}

/** Before the first month with points nothing is owed: its journal has no entries. */
async function journalOf(deps: Deps, month: string): Promise<string> {
  try {
    return (await readJournal(deps, month)).text;
  } catch (error) {
    const number = parseMonth(month);
    if (!(error instanceof Problem && error.code === "invalid") || number === null) throw error;
    const { currency } = (await readProgram(deps.db)).store;
    return journalCsv(number, [], { currency, isClosed: false });
  }
}

/** Returns the folder. A folder that does not answer fails the report: the job would wait for it for ever. */
async function writeFile(
  deps: Deps,
  report: Report,
  { fileName, byteCount }: { readonly fileName: string; readonly byteCount: number },
): Promise<string> {
  const folder = deps.config.reportsDir;
  if (folder === undefined) throw new Error("POINTKEEPER_REPORTS_DIR is not set on this worker");
  const silent = await readSilentPlace(folder);
  if (silent !== null) throw new Error(silent);
  const partial = join(folder, `.${fileName}.${report.attemptUid}`);
  await whileAnswering(folder, async (advances) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const written = await writePartial(partial, readReportPieces(deps.db, report), advances);
      if (written !== byteCount) throw new SupersededError();
      await rename(partial, join(folder, fileName));
    } finally {
      await rm(partial, { force: true });
    }
  });
  return folder;
}

/** Writes the pieces of a file, durably. A report that was given up meanwhile ends at the next piece. Returns the number of bytes. */
async function writePartial(path: string, pieces: AsyncIterable<Buffer>, advances: () => void): Promise<number> {
  const file = await open(path, "w", 0o600);
  let written = 0;
  try {
    let unsynced = 0;
    for await (const piece of pieces) {
      await file.writeFile(piece);
      written += piece.length;
      unsynced += piece.length;
      if (unsynced >= SYNC_BYTES) {
        await file.datasync();
        unsynced = 0;
      }
      advances();
    }
    await file.sync();
  } finally {
    await file.close();
  }
  advances();
  return written;
}

async function mailReport(
  tx: Tx,
  deps: Deps,
  report: Report,
  { settings, byteCount, fileName }: Pick<MakeOptions, "settings"> & { byteCount: number; fileName: string },
): Promise<{ readonly mails: number; readonly wasAttached: boolean | null }> {
  const { isOn, addresses, language } = settings;
  if (!isOn || addresses.length === 0 || deps.config.mail === null) return { mails: 0, wasAttached: null };
  const isAttached = byteCount <= ATTACHED_BYTES_MAX;
  const url = isAttached ? null : `${deps.config.publicUrl}/admin/reports`;
  const store = (await readProgram(tx)).store.name;
  const { subject, text } = reportMail({ ...report, store }, language, url);
  const content = isAttached ? Buffer.concat(await Array.fromAsync(readReportPieces(tx, report))) : null;
  const attachments = content === null ? [] : [{ name: fileName, type: "text/csv; charset=utf-8", content }];
  for (const [i, to] of addresses.entries()) {
    const queued = await enqueueMail(tx, deps, {
      idempotencyKey: `report/${report.uid}/${i}`,
      category: "report",
      ...{ to, subject, text, html: htmlOfText(text), attachments },
      expiresAt: deps.clock.now().add({ hours: MAIL_DAYS * 24 }),
    });
    if (queued !== "queued") throw new Error(`a mail of a report was not queued: ${queued}`);
  }
  return { mails: addresses.length, wasAttached: isAttached };
}
