import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { backUp } from "./back-up.ts";
import { type BackupPlace, openBackupPlace, pathBelow, placePath, removeTree, splitPath } from "./backup-place.ts";
import { type BackupRun, endBackupRun, insertBackupRun, selectScheduledPlaces } from "./backup-queries.ts";
import { isScheduledName, scheduledName } from "./choose-backup.ts";
import { BackupError, MANIFEST_NAME } from "./manifest.ts";
import { pruneBackups } from "./prune-backups.ts";
import { readMissingArchive } from "./read-missing-archive.ts";
import { readMissingBackup } from "./read-missing-backup.ts";

const DRAFT = /^(pointkeeper-\d{8}T\d{6}Z)\.partial-[\w-]+$/;
/** No backup is made for so long, so a draft from before that is of a process that died, of whichever store. */
const DRAFT_DAYS_MAX = 7;

/**
 * Makes the next scheduled backup in POINTKEEPER_BACKUP_DIR: of the files where the log is archived, otherwise of the rows. Then prunes.
 * A backup does not fail because something could not be removed: a failed one is made again after minutes, and the place would fill up. Returns 1, or
 * 0 where it was stopped.
 */
export async function backUpScheduled(
  deps: Pick<Deps, "db" | "config" | "random" | "log">,
  signal: AbortSignal,
): Promise<number> {
  const { dir, isLogArchived } = deps.config.backup;
  if (dir === undefined) return 0;
  const path = pathBelow(dir, scheduledName(Temporal.Now.instant()));
  const kind = isLogArchived ? "physical" : "logical";
  const refusal = await refusalOf(deps.config);
  if (refusal !== null) {
    await recordRefused(deps, { kind, place: placePath(path), error: refusal.message });
    throw refusal;
  }
  const gone = await readMissingBackup(deps.db, dir).catch(() => null); // where it cannot be read, the backup fails with the reason
  if (gone !== null) deps.log.warn({ place: gone }, "the newest backup is not there: its disk may not be mounted");
  const place = openBackupPlace(dir, deps.config.objectStore);
  await removeDrafts(place, await selectOwnNames(deps.db)).catch((error: unknown) =>
    deps.log.warn({ error }, "files of interrupted backups could not be removed"),
  );
  try {
    await backUp(deps, { path, kind, cause: "schedule", signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    deps.log.info({ error }, "a backup ended with its worker: the next worker makes it");
    return 0;
  }
  await pruneBackups(deps).catch((error: unknown) =>
    deps.log.warn({ error }, 'old backups could not be removed: the job "prune backups" tries again'),
  );
  return 1;
}

/** Returns why no backup is begun now; null: nothing is known against it. A backup on another disk than its log restores to no later time. */
async function refusalOf(config: Config): Promise<BackupError | null> {
  try {
    const missing = await readMissingArchive(config);
    return missing === null ? null : new BackupError(missing);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new BackupError(`The place of the backups cannot be read: ${reason}.`, { cause: error });
  }
}

/** Records a backup that was not begun, so that the last scheduled one counts as failed. */
async function recordRefused(
  { db, random }: Pick<Deps, "db" | "random">,
  { error, ...run }: Pick<BackupRun, "kind" | "place"> & { readonly error: string },
): Promise<void> {
  const uid = random.uid();
  await insertBackupRun(db, { ...run, uid, cause: "schedule" });
  await endBackupRun(db, { uid, error, rows: null, bytes: null, isEncrypted: false });
}

/**
 * Removes drafts of runs whose process died; no other run of this store is active now. One of another store, whose settings name the same place by
 * mistake, may still be written.
 */
async function removeDrafts(place: BackupPlace, own: ReadonlySet<string>): Promise<void> {
  const oldest = scheduledName(Temporal.Now.instant().subtract({ hours: 24 * DRAFT_DAYS_MAX }));
  const isDead = (name: string) => own.has(name) || name < oldest;
  for (const name of await place.names("")) {
    const drafted = DRAFT.exec(name)?.[1];
    if (drafted !== undefined && isDead(drafted)) await removeTree(join(place.path, name));
    else if (isObjectPlace(place.path) && isScheduledName(name) && isDead(name) && (await hasNoManifest(place, name)))
      await place.removeBackup(name);
  }
}

/** The names of this store's scheduled backups; the folder may have another path since. */
async function selectOwnNames(db: Deps["db"]): Promise<ReadonlySet<string>> {
  return new Set((await selectScheduledPlaces(db)).map((path) => splitPath(path).name));
}

/** A store that repairs itself, or a cache before it, may deny an object that it lists: a backup is removed only if the listing lacks its manifest too. */
async function hasNoManifest(place: BackupPlace, name: string): Promise<boolean> {
  if ((await place.read(`${name}/${MANIFEST_NAME}`)) !== null) return false;
  return !(await place.names(name)).includes(MANIFEST_NAME);
}
