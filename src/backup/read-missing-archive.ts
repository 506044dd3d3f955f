import { stat } from "node:fs/promises";
import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import { readSystemId } from "../db/embedded/read-system-id.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { archivedMarkPath, readArchivedMark } from "./archived-mark.ts";
import { orWhereNone } from "./backup-place.ts";
import { isSegment, listArchivedLog, logDirOf, segmentNumber } from "./log-archive.ts";
import { readSilentPlace } from "./read-silent-place.ts";

/**
 * Returns a sentence where the folder of the backups does not answer, or log was archived into one that is not there any more, or that has only older log;
 * null: it is as it was left, or nothing was archived into the place of the settings. Mostly its disk is not mounted, and the folder is that of an earlier
 * time without it. Log that was archived below the mount point would be missing from the archive once the disk is there again.
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
  if ((await orWhereNone(stat(logDir), null)) !== null) {
    const segments = (await listArchivedLog(logDir)).map(({ name }) => name).filter(isSegment);
    const newest = segmentNumber(mark.segment);
    // an empty folder was made anew, or all in it is older than the oldest backup and was pruned
    if (segments.length === 0 || segments.some((name) => segmentNumber(name) >= newest)) return null;
    return `${logDir}, into which ${mark.segment} was archived, has only log from before it: another disk may be mounted, or none. Mount the right one, and what waits is archived. If log was removed from it on purpose, remove ${archivedMarkPath(home)}.`;
  }
  return `${logDir}, into which the log of the database was archived, is not there: its disk may not be mounted. Mount it, and what waits is archived. If the archive was removed on purpose, make this folder anew.`;
}
