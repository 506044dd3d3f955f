import { stat } from "node:fs/promises";
import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import { readSystemId } from "../db/embedded/read-system-id.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { readArchivedMark } from "./archived-mark.ts";
import { orWhereNone } from "./backup-place.ts";
import { logDirOf } from "./log-archive.ts";
import { readSilentPlace } from "./read-silent-place.ts";

/**
 * Returns a sentence where the folder of the backups does not answer, or log was archived into one that is not there any more; null: it is, or nothing was
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
  if (mark.dir !== logDir || (await orWhereNone(stat(logDir), null)) !== null) return null;
  return `${logDir}, into which the log of the database was archived, is not there: its disk may not be mounted. Mount it, and what waits is archived. If the archive was removed on purpose, make this folder anew.`;
}
