import { selectScheduledBackup } from "../backup/backup-queries.ts";
import { readFileSystem } from "../backup/read-file-system.ts";
import type { Deps } from "../deps.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { type BackupRoom, type DiskRoom, roomOf } from "./disk-room.ts";

/** Alerts do not wait longer for the disk of the backups. */
const WAIT_MS = 2_000;

/**
 * Returns the room for the scheduled backups and the archived log. `none`: none are made, or they go into a bucket. `unknown`: their folder cannot be
 * read now, its file system gives no figures, or a backup is being made, which takes up room of its own until older ones are removed.
 */
export async function readBackupRoom(
  deps: Pick<Deps, "db" | "config">,
  read: (dir: string) => Promise<DiskRoom | null> = readRoom,
): Promise<BackupRoom | "none" | "unknown"> {
  const { dir } = deps.config.backup;
  if (dir === undefined || isObjectPlace(dir)) return "none";
  const { isUnderWay, lastBytes } = await selectScheduledBackup(deps.db);
  const room = isUnderWay ? null : await read(dir);
  if (room === null || room.sizeBytes === 0) return "unknown";
  return { ...room, dir, neededBytes: Number(lastBytes ?? 0n) };
}

/** Null: the folder cannot be read, or not soon. */
async function readRoom(dir: string): Promise<DiskRoom | null> {
  const figures = await readFileSystem(dir, WAIT_MS);
  return typeof figures === "string" ? null : roomOf(figures);
}
