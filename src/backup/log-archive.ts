import type { ObjectStoreAccess } from "../object-store/object-place.ts";
import { openBackupPlace, pathBelow, splitPath } from "./backup-place.ts";
import { BackupError } from "./manifest.ts";
import { DamagedPartError, type PartDecoder, sha256Of } from "./part-coder.ts";

// A file of the archived log: `<segment or history file>.<first 16 digits of its SHA-256>.zst`, or `.zst.age`. The digest tells a file
// that was archived twice from another one of the same name.
const ARCHIVED = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)\.([0-9a-f]{16})\.zst(?:\.age)?$/;
const SEGMENT = /^[0-9A-F]{24}$/;
/** A segment has 16 MB, so this many segments share one number in the middle digits. */
const SEGMENTS_A_LOG = 256n;

/** A file of the log of a cluster in the archive. */
export interface ArchivedFile {
  /** As the server names it. */
  readonly name: string;
  readonly digest: string;
  readonly path: string;
}

/** The folder of the archived log of one cluster, below the folder of its backups. */
export function logDirOf(backupsDir: string, systemId: string): string {
  return pathBelow(backupsDir, `log/${systemId}`);
}

/** Returns the files of the log of one cluster, by name; none where nothing was archived. */
export async function listArchivedLog(
  logDir: string,
  access: ObjectStoreAccess | null = null,
): Promise<ArchivedFile[]> {
  const names = await openBackupPlace(logDir, access).names("");
  const files = names.flatMap((file): ArchivedFile[] => {
    const match = ARCHIVED.exec(file);
    return match === null ? [] : [{ name: match[1] ?? "", digest: match[2] ?? "", path: pathBelow(logDir, file) }];
  });
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a file is a segment of the log, and not the history of a timeline. */
export function isSegment(name: string): boolean {
  return SEGMENT.test(name);
}

/** The header of a segment's first page has the system identifier of its cluster here, and then the size of a segment, in every version. */
const SYSTEM_ID_AT = 24;
const SIZE_AT = 32;
const HEADER_BYTES = 36;
const SEGMENT_BYTES = 2 ** 24;

/** Returns the system identifier of the cluster that wrote a segment; null where the bytes are no segment, or its header is damaged. */
export function systemIdOf(segment: Buffer): string | null {
  if (segment.length < HEADER_BYTES || segment.readUInt32LE(SIZE_AT) !== SEGMENT_BYTES) return null;
  return segment.readBigUInt64LE(SYSTEM_ID_AT).toString();
}

/** The position of a segment in the log, independent of its timeline. */
export function segmentNumber(name: string): bigint {
  return BigInt(`0x${name.slice(8, 16)}`) * SEGMENTS_A_LOG + BigInt(`0x${name.slice(16)}`);
}

/** How the names of the segments at a position end; what is before it is the timeline. */
export function segmentSuffix(number: bigint): string {
  const digits = (part: bigint) => part.toString(16).toUpperCase().padStart(8, "0");
  return digits(number / SEGMENTS_A_LOG) + digits(number % SEGMENTS_A_LOG);
}

/** The part of the archived log that a restore replays. */
export interface LogToReplay {
  readonly files: readonly ArchivedFile[];
  /** The position of the first segment that is missing although later ones exist; null where none is missing. */
  readonly gapAt: bigint | null;
}

/**
 * Returns the files from a segment up to the first gap, along the newest timeline: where a restore started a timeline, later segments of older
 * timelines are left out, because they belong to another history. The base backup itself contains `firstSegment` and the following ones until its
 * end, `contained`: without what follows them in the archive, later segments cannot be replayed either.
 */
export function logFrom(
  archived: readonly ArchivedFile[],
  firstSegment: string,
  contained: readonly string[] = [firstSegment],
): LogToReplay {
  const first = segmentNumber(firstSegment);
  const names = new Set([...archived.map(({ name }) => name), ...contained].filter(isSegment));
  const numbers = numbersToNewest([...names]).filter((number) => number >= first);
  const before = numbers.find((number, n) => n + 1 < numbers.length && numbers[n + 1] !== number + 1n);
  const gapAt = before === undefined ? null : before + 1n;
  const files = archived.filter(({ name }) => {
    if (!isSegment(name)) return true;
    const number = segmentNumber(name);
    return number >= first && (gapAt === null || number < gapAt);
  });
  return { files, gapAt };
}

/** The positions of the segments of each timeline, up to the start of the next one, in order. */
function numbersToNewest(segments: readonly string[]): bigint[] {
  const byTimeline = Map.groupBy(segments, (name) => name.slice(0, 8));
  const found: bigint[] = [];
  let end: bigint | null = null;
  for (const timeline of [...byTimeline.keys()].sort().reverse()) {
    const numbers = (byTimeline.get(timeline) ?? []).map(segmentNumber).sort((a, b) => (a < b ? -1 : 1));
    const until: bigint | null = end;
    found.unshift(...numbers.filter((number) => until === null || number < until));
    const [begin] = numbers;
    if (begin !== undefined && (end === null || begin < end)) end = begin;
  }
  return found;
}

/** Reads a file of the log. @throws BackupError where it is damaged */
export async function readArchivedFile(
  file: ArchivedFile,
  decoder: PartDecoder,
  access: ObjectStoreAccess | null,
): Promise<Buffer> {
  const { parent, name } = splitPath(file.path);
  const stored = await openBackupPlace(parent, access).read(name);
  if (stored === null) throw new BackupError(`${file.path} of the archived log was removed meanwhile.`);
  const bytes = await decoder.decode({ name: file.path }, stored).catch((error: unknown) => {
    if (error instanceof DamagedPartError) return null;
    throw error;
  });
  if (bytes !== null && sha256Of(bytes).startsWith(file.digest)) return bytes;
  throw new BackupError(`${file.path} of the archived log is damaged. Restore to a time before it, or another backup.`);
}
