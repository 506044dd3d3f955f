import type { Deps } from "../deps.ts";
import { type DiskRoom, diskNotice, gibibytesOf, lacksBackupRoom } from "./disk-room.ts";
import { readBackupRoom } from "./read-backup-room.ts";
import { readDiskRoom } from "./read-disk-room.ts";

/** Logs a warning while the disk of the embedded database, or that of the backups, has little room. */
export async function logDiskRoom(deps: Pick<Deps, "db" | "config" | "clock" | "log">): Promise<void> {
  const room = await readDiskRoom(deps);
  if (room !== null) logRoom(deps, room);
  const backups = await readBackupRoom(deps);
  if (typeof backups === "string" || !lacksBackupRoom(backups)) return;
  const { dir, freeBytes, neededBytes } = backups;
  const figures = { dir, freeGiB: gibibytesOf(freeBytes), newestGiB: gibibytesOf(neededBytes) };
  deps.log.warn(figures, "the disk of the backups and the archived log may have no room for the next backup");
}

function logRoom(deps: Pick<Deps, "log">, room: DiskRoom): void {
  const notice = diskNotice(room);
  if (notice === null) return;
  const { state, freeBytes, freeFiles } = notice;
  const figures = { state, freeGiB: gibibytesOf(freeBytes), freeFiles };
  deps.log.warn(figures, "the disk of the database has little room; once it is full, every change is refused");
}
