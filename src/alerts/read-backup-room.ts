import { selectScheduledBackup } from "../backup/backup-queries.ts";
import { readFileSystem } from "../backup/read-file-system.ts";
import { readMissingBackup } from "../backup/read-missing-backup.ts";
import type { Deps } from "../deps.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { type DiskRoom, type FoundBackupRoom, roomOf } from "./disk-room.ts";

/** Alerts do not wait longer for the disk of the backups. */
const WAIT_MS = 2_000;

/** Returns the room for the scheduled backups and the archived log. */
export async function readBackupRoom(
  deps: Pick<Deps, "db" | "config">,
  read: (dir: string) => Promise<DiskRoom | null> = readRoom,
): Promise<FoundBackupRoom> {
  const { dir } = deps.config.backup;
  if (dir === undefined || isObjectPlace(dir)) return "none";
  const { isUnderWay, lastBytes } = await selectScheduledBackup(deps.db);
  const room = isUnderWay ? null : await read(dir);
  if (room === null || room.sizeBytes === 0) return "unknown";
  if ((await readMissingBackup(deps.db, dir).catch(() => dir)) !== null) return "unknown"; // the room of the disk below
  return { ...room, dir, neededBytes: Number(lastBytes ?? 0n) };
}

/** Null: the folder cannot be read, or not soon. */
async function readRoom(dir: string): Promise<DiskRoom | null> {
  const figures = await readFileSystem(dir, WAIT_MS);
  return typeof figures === "string" ? null : roomOf(figures);
}
