import { stat } from "node:fs/promises";
import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import { readSystemId } from "../db/embedded/read-system-id.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { answered } from "./answered.ts";
import { readArchiveId } from "./archive-id.ts";
import { type ArchivedMark, archivedMarkPath, readArchivedMark } from "./archived-mark.ts";
import { openBackupPlace, orWhereNone } from "./backup-place.ts";
import { listArchivedLog, logDirOf } from "./log-archive.ts";
import { readSilentPlace } from "./read-silent-place.ts";

/**
 * Returns a sentence where the folder of the backups does not answer, or is not the one into which log was archived; null: it is, or nothing was
 * archived into the place of the settings. Mostly its disk is not mounted. Log that was archived below the mount point would be missing from the archive
 * once the disk is there again.
 */
export async function readMissingArchive({
  backup: { dir, isLogArchived },
  dataDir,
}: Pick<Config, "backup" | "dataDir">): Promise<string | null> {
  if (dir === undefined || isObjectPlace(dir)) return null;
  const silent = await readSilentPlace(dir);
  if (silent !== null || !isLogArchived) return silent;
  const home = await homeOf(dataDir);
  const mark = await readArchivedMark(home);
  if (mark === null || mark.dir === null) return null;
  const logDir = logDirOf(dir, await readSystemId(home));
  if (mark.dir !== logDir) return null;
  const isThere = (await answered(logDir, () => orWhereNone(stat(logDir), null))) !== null;
  if (isThere && (await isArchive(logDir, mark))) return null;
  const what = isThere
    ? `${logDir} is not the folder into which the log of the database was archived: its disk may not be mounted, or another one is`
    : `${logDir}, into which the log of the database was archived, is not there: its disk may not be mounted`;
  return `${what}. Mount it, and what waits is archived. If the log is to go there from now on, remove ${archivedMarkPath(home)}.`;
}

/**
 * Whether a folder is the archive of a mark: it has the id of the mark, or the newest segment that was archived. Either is enough: a share may have lost
 * the last write, pruning removes segments, and somebody who removes old files the id. A mark of an earlier version has no id: then any folder is.
 */
async function isArchive(logDir: string, { archive, segment }: ArchivedMark): Promise<boolean> {
  if (archive === null) return true;
  if ((await readArchiveId(openBackupPlace(logDir, null))) === archive) return true;
  return (await listArchivedLog(logDir)).some(({ name }) => name === segment);
}
