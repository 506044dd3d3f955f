import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogPosition } from "./backup-queries.ts";
import { segmentNumber } from "./log-archive.ts";

const SEGMENT_BYTES = 2n ** 24n;
/** Earlier versions stored fewer fields. */
const MARK =
  /^\{"segment":"([0-9A-F]{24})","closed_at":"([^"]+)"(?:,"dir":("(?:[^"\\]|\\.)*"))?(?:,"archive":"([0-9a-f-]{36})")?\}$/;

/** Up to where the log is in the archive. */
export interface ArchivedMark {
  /** The newest segment in the archive. */
  readonly segment: string;
  /** When the server closed it: what it wrote until then is archived. */
  readonly closedAt: Temporal.Instant;
  /** The folder of the archive, in which it is; null: an earlier version stored none. */
  readonly dir: string | null;
  /** The id of the archive; null: it is in a bucket, or an earlier version stored none. */
  readonly archive: string | null;
}

/** Next to the spool. Each scrape of the metrics reads it; listing the archive in a bucket each time would be expensive. */
export function archivedMarkPath(home: string): string {
  return join(home, "log-archived.json");
}

/** Stores which segment was archived last, and where. If the file is lost, only the figures are missing, until the next segment. */
export async function writeArchivedMark(
  home: string,
  { segment, closedAt, dir, archive }: ArchivedMark,
): Promise<void> {
  const draft = `${archivedMarkPath(home)}.new-${randomUUID()}`; // two processes may archive at once
  try {
    await writeFile(
      draft,
      JSON.stringify({ segment, closed_at: closedAt.toString(), dir, archive: archive ?? undefined }),
    );
    await rename(draft, archivedMarkPath(home));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // the first error says more
    throw error;
  }
}

/** Returns what the worker stored last; null if it has archived nothing yet. */
export async function readArchivedMark(home: string): Promise<ArchivedMark | null> {
  const text = await readFile(archivedMarkPath(home), "utf8").catch(() => "");
  const [, segment = "", closedAt = "", dir, archive = null] = MARK.exec(text) ?? [];
  if (segment === "") return null;
  const folder = dir === undefined ? null : JSON.parse(dir);
  return { segment, closedAt: Temporal.Instant.from(closedAt), dir: folder, archive };
}

/** How far the archived log lies behind what the server has written. */
export interface LogLag {
  /** Since the newest archived segment was closed: a restore without this machine ends there. */
  readonly seconds: number;
  readonly bytes: number;
  /** Of these seconds, those since the server's start: while it was stopped nothing was written. */
  readonly servedSeconds: number;
}

/** Returns the lag at a position of the server; null where nothing was archived yet, or the mark is of another server. */
export function logLag(mark: ArchivedMark | null, { written, now, upSeconds }: LogPosition): LogLag | null {
  if (mark === null) return null;
  const bytes = written - (segmentNumber(mark.segment) + 1n) * SEGMENT_BYTES;
  if (bytes < 0n) return null;
  const seconds = Math.max(0, Math.round(now.since(mark.closedAt).total("seconds")));
  return { seconds, bytes: Number(bytes), servedSeconds: Math.min(seconds, Number(upSeconds)) };
}
