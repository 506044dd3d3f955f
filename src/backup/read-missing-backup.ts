import { stat } from "node:fs/promises";
import type { Queryable } from "../db/pool.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { answered } from "./answered.ts";
import { orWhereNone, placePath } from "./backup-place.ts";
import { selectNewestPlace } from "./backup-queries.ts";

/**
 * Returns where the newest complete scheduled backup was written if that is below a folder of backups and nothing is there any more: mostly its disk is not
 * mounted. null: it is there, there is none, or the folder is in a bucket. Call it for a folder whose file system answers.
 * @throws BackupError where the folder does not answer all the same
 */
export async function readMissingBackup(queryable: Queryable, dir: string): Promise<string | null> {
  if (isObjectPlace(dir)) return null;
  const place = await selectNewestPlace(queryable, placePath(dir));
  if (place === null) return null;
  const found = await answered(placePath(dir), () => orWhereNone(stat(place), null));
  return found === null ? place : null;
}
