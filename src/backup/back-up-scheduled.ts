import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "../deps.ts";
import { isObjectPlace, type ObjectStoreAccess } from "../object-store/object-place.ts";
import { backUp } from "./back-up.ts";
import { type BackupPlace, openBackupPlace, pathBelow, splitPath } from "./backup-place.ts";
import { type FoundBackup, isScheduledName, listScheduled, scheduledName } from "./choose-backup.ts";
import { isSegment, listArchivedLog, logDirOf, segmentNumber } from "./log-archive.ts";
import { BackupError, MANIFEST_NAME } from "./manifest.ts";

const DRAFT = /^pointkeeper-\d{8}T\d{6}Z\.partial-\d+$/;

/**
 * Makes the next scheduled backup in POINTKEEPER_BACKUP_DIR: of the files where the log is archived, otherwise of the rows. Then removes the
 * backups beyond POINTKEEPER_BACKUP_KEEP, and the log that no remaining backup needs. Returns 1, or 0 where it was stopped.
 */
export async function backUpScheduled(
  deps: Pick<Deps, "db" | "config" | "random" | "log">,
  signal: AbortSignal,
): Promise<number> {
  const { dir, isLogArchived, keep } = deps.config.backup;
  if (dir === undefined) return 0;
  await removeDrafts(openBackupPlace(dir, deps.config.objectStore));
  const path = pathBelow(dir, scheduledName(Temporal.Now.instant()));
  const kind = isLogArchived ? "physical" : "logical";
  try {
    await backUp(deps, { path, kind, cause: "schedule", signal });
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  }
  await prune({ dir, access: deps.config.objectStore }, keep);
  return 1;
}

/** Removes drafts of runs whose process died; no other run is active now. */
async function removeDrafts(place: BackupPlace): Promise<void> {
  for (const name of await place.names("")) {
    if (DRAFT.test(name)) await rm(join(place.path, name), { recursive: true, force: true });
    else if (
      isObjectPlace(place.path) &&
      isScheduledName(name) &&
      (await place.read(`${name}/${MANIFEST_NAME}`)) === null
    )
      await place.removeBackup(name);
  }
}

interface Kept {
  readonly dir: string;
  readonly access: ObjectStoreAccess | null;
}

async function prune(from: Kept, keep: number): Promise<void> {
  const backups = await listScheduled(from.dir, from.access);
  const place = openBackupPlace(from.dir, from.access);
  for (const { name } of backups.slice(0, -keep)) await place.removeBackup(name);
  await pruneLog(from, backups.slice(-keep));
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
  if (kept.length === 0) throw new BackupError(`${dir} holds no backup although one was just made.`);
}
