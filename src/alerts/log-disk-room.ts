import type { Deps } from "../deps.ts";
import { diskNotice, gibibytesOf } from "./disk-room.ts";
import { readDiskRoom } from "./read-disk-room.ts";

/** Logs a warning while the disk of the embedded database has little room. */
export async function logDiskRoom(deps: Pick<Deps, "config" | "log">): Promise<void> {
  const room = await readDiskRoom(deps);
  const notice = room === null ? null : diskNotice(room);
  if (notice === null) return;
  const { state, freeBytes, freeFiles } = notice;
  const figures = { state, freeGiB: gibibytesOf(freeBytes), freeFiles };
  deps.log.warn(figures, "the disk of the database has little room; once it is full, every change is refused");
}
