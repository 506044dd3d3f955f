import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import { readSystemId } from "../db/embedded/read-system-id.ts";
import { logSpoolOf } from "../db/embedded/server-settings.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { ensureArchiveId, readArchiveId } from "./archive-id.ts";
import { readArchivedMark, writeArchivedMark } from "./archived-mark.ts";
import { type BackupPlace, openBackupPlace, orWhereNone, pathBelow } from "./backup-place.ts";
import { isSegment, listArchivedLog, logDirOf, systemIdOf } from "./log-archive.ts";
import { BackupError } from "./manifest.ts";
import { createEncoder, type PartEncoder, sha256Of } from "./part-coder.ts";
import { readMissingArchive } from "./read-missing-archive.ts";

const HISTORY = /^[0-9A-F]{8}\.history$/;
/** A file in which the server records a base backup; a restore does not need it. */
const BACKUP_NOTE = /^[0-9A-F]{24}\.[0-9A-F]{8}\.backup$/;
const DIGEST_LENGTH = 16;

/** The histories of timelines that this process found in the archive or put there. Listing it every few seconds for them would be expensive. */
const kept = new Set<string>();

interface Shipment {
  /** The archived log of one cluster. */
  readonly archive: BackupPlace;
  readonly encoder: PartEncoder;
  /** The digests of the archived files, by name. */
  readonly archived: Map<string, string>;
  /** The id of the archive; null: it has none. */
  readonly id: string | null;
}

/**
 * Moves the segments of the log from the spool of the embedded server to the archive, compressed and encrypted, oldest first, until `isEnough`; returns
 * how many. It needs no server: where waiting segments filled the disk, the server cannot run before they are gone. A segment is removed from the spool
 * only once it is durable in the archive, so two processes that move the same one both end well: each writes the whole file under its name. Where there
 * is nothing to move, the archive is not read: a listing of a bucket costs money.
 * @throws BackupError where another server archives into the same folder, that folder is not there any more, or a file in the spool is no segment
 */
export async function shipSpool(
  config: Pick<Config, "backup" | "dataDir" | "objectStore">,
  isEnough: () => Promise<boolean> = async () => false,
): Promise<number> {
  const { dir, isLogArchived } = config.backup;
  if (dir === undefined || !isLogArchived) return 0;
  const home = await homeOf(config.dataDir);
  const spool = logSpoolOf(home);
  const names = (await readdir(spool).catch(() => [])).sort();
  const histories = (await readdir(join(home, "pg", "pg_wal"))).filter((name) => HISTORY.test(name));
  const systemId = await readSystemId(home);
  const logDir = logDirOf(dir, systemId);
  const shipped = names.filter((name) => isSegment(name) || HISTORY.test(name));
  for (const name of names) if (BACKUP_NOTE.test(name)) await rm(join(spool, name), { force: true });
  if (shipped.length === 0 && histories.every((name) => kept.has(pathBelow(logDir, name)))) return 0;
  const missing = await readMissingArchive(config);
  if (missing !== null) throw new BackupError(missing);
  const begun = await openShipment(config, logDir);
  const own = { ...begun, id: await identify(begun.archive, { home, logDir }) };
  const shipments = new Map<string, Shipment>([[systemId, own]]);
  for (const name of histories) {
    await ship(own, name, await readFile(join(home, "pg", "pg_wal", name)));
    kept.add(pathBelow(logDir, name));
  }
  let moved = 0;
  for (const name of shipped) {
    if (await isEnough()) break;
    const path = join(spool, name);
    const waiting = await readWaiting(path);
    if (waiting === null) continue;
    const writer = isSegment(name) ? writerOf(path, waiting.raw) : systemId;
    const shipment = shipments.get(writer) ?? (await openShipment(config, logDirOf(dir, writer)));
    shipments.set(writer, shipment);
    await ship(shipment, name, waiting.raw);
    moved += 1;
    await rm(path, { force: true }); // before the mark, for which a full disk has no room
    if (isSegment(name) && writer === systemId)
      await writeArchivedMark(home, { segment: name, closedAt: waiting.closedAt, dir: logDir, archive: own.id });
  }
  return moved;
}

async function openShipment(
  { backup: { recipients }, objectStore }: Pick<Config, "backup" | "objectStore">,
  logDir: string,
): Promise<Shipment> {
  const archived = new Map((await listArchivedLog(logDir, objectStore)).map(({ name, digest }) => [name, digest]));
  const archive = openBackupPlace(logDir, objectStore);
  await archive.removeDrafts("").catch(() => {}); // where nothing may be removed, the log is archived all the same
  return { archive, encoder: createEncoder(recipients), archived, id: null };
}

/** Returns the id of the archive, which was found to be the one of the mark, or begins now; null: it is in a bucket, which cannot be taken for another. */
async function identify(
  archive: BackupPlace,
  { home, logDir }: { readonly home: string; readonly logDir: string },
): Promise<string | null> {
  if (isObjectPlace(logDir)) return null;
  const mark = await readArchivedMark(home);
  return ensureArchiveId(archive, mark?.dir === logDir ? mark.archive : null);
}

/** Returns the cluster of a segment: one that waited when the folder got another database belongs into the archive of the former. */
function writerOf(path: string, segment: Buffer): string {
  const systemId = systemIdOf(segment);
  if (systemId !== null) return systemId;
  throw new BackupError(
    `${path} is no segment of a log, or its start is damaged, and nothing after it is archived: move it to another folder.`,
  );
}

interface Waiting {
  readonly raw: Buffer;
  readonly closedAt: Temporal.Instant;
}

/** Returns null where another process, that starts in the same folder, has archived the file and removed it meanwhile. */
async function readWaiting(path: string): Promise<Waiting | null> {
  const found = await orWhereNone(Promise.all([stat(path), readFile(path)]), null);
  if (found === null) return null;
  const [{ mtimeMs }, raw] = found;
  return { raw, closedAt: Temporal.Instant.fromEpochMilliseconds(Math.floor(mtimeMs)) };
}

async function ship({ archive, encoder, archived, id }: Shipment, name: string, raw: Buffer): Promise<void> {
  const digest = sha256Of(raw).slice(0, DIGEST_LENGTH);
  const known = archived.get(name);
  if (known === digest) return;
  if (known !== undefined) {
    throw new BackupError(
      `${archive.path} holds another ${name}: two copies of one store archive their log into the same folder. Give each a POINTKEEPER_BACKUP_DIR of its own.`,
    );
  }
  await archive.write(`${name}.${digest}${encoder.suffix}`, await encoder.encode(raw));
  // a disk that disappears is unmounted, perhaps meanwhile: then the file is in its mount point
  if (id !== null && (await readArchiveId(archive)) !== id)
    throw new BackupError(
      `${archive.path} is not the folder any more into which the log was archived until now: its disk may have been unmounted.`,
    );
  archived.set(name, digest);
}
