import { readLatestNow } from "../db/read-latest-now.ts";
import type { Deps } from "../deps.ts";
import type { ObjectStoreAccess } from "../object-store/object-place.ts";
import { openBackupPlace, splitPath } from "./backup-place.ts";
import { selectStoreUid } from "./backup-queries.ts";
import { type FoundBackup, isNamedAhead, readScheduled } from "./choose-backup.ts";
import { isSegment, listArchivedLog, logDirOf, segmentNumber } from "./log-archive.ts";
import { BackupError } from "./manifest.ts";
import { readSilentPlace } from "./read-silent-place.ts";

interface Kept {
  readonly dir: string;
  readonly access: ObjectStoreAccess | null;
}

/**
 * Removes the store's scheduled backups beyond POINTKEEPER_BACKUP_KEEP, and the archived log that none of the remaining ones needs. What is of another
 * store, whose settings name the same place by mistake, stays. Returns how many backups were removed. It is also a job of its own: where nothing may be
 * removed, that job fails, and no backup is made again because of it.
 */
export async function pruneBackups({ db, config, log }: Pick<Deps, "db" | "config" | "log">): Promise<number> {
  const { dir, keep } = config.backup;
  if (dir === undefined) return 0;
  const silent = await readSilentPlace(dir);
  if (silent !== null) throw new BackupError(silent);
  const from = { dir, access: config.objectStore };
  const { complete: found, damaged } = await readScheduled(dir, from.access);
  const store = await selectStoreUid(db);
  const own = found.filter(({ manifest }) => manifest.store === null || manifest.store === store);
  if (own.length < found.length)
    log.warn({ dir, backups: found.length - own.length }, "POINTKEEPER_BACKUP_DIR holds backups of another store too");
  const backups = oldestFirst(own, await readLatestNow(db, Temporal.Now.instant()));
  const place = openBackupPlace(dir, from.access);
  const removed = backups.slice(0, -keep);
  for (const { name } of removed) await place.removeBackup(name);
  // a backup whose manifest cannot be read for now may be the oldest: it needs log from before that of the others
  if (!damaged.some(({ isDenied }) => isDenied)) await pruneLog(from, backups.slice(-keep));
  return removed.length;
}

/** A backup that a clock which was ahead named counts as the oldest: otherwise it would stay, and those made since would go. */
function oldestFirst(backups: readonly FoundBackup[], now: Temporal.Instant): readonly FoundBackup[] {
  const [ahead, others] = [true, false].map((is) => backups.filter((backup) => isNamedAhead(backup, now) === is));
  return [...(ahead ?? []), ...(others ?? [])];
}

/** Removes for each cluster the log before its oldest backup; the log of a cluster without a backup is kept. */
async function pruneLog({ dir, access }: Kept, kept: readonly FoundBackup[]): Promise<void> {
  const bases = kept.flatMap(({ manifest: { base } }) => (base === null ? [] : [base]));
  for (const [systemId, ofCluster] of Map.groupBy(bases, (base) => base.systemId)) {
    const numbers = ofCluster.map(({ firstSegment }) => segmentNumber(firstSegment));
    const oldest = numbers.reduce((least, number) => (number < least ? number : least));
    const logDir = logDirOf(dir, systemId);
    const archive = openBackupPlace(logDir, access);
    for (const { name, path } of await listArchivedLog(logDir, access))
      if (isSegment(name) && segmentNumber(name) < oldest) await archive.remove(splitPath(path).name);
  }
}
