import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import { type DiskRoom, type FileSystemFigures, roomOf } from "./disk-room.ts";

/** Returns the room on the disk of the embedded database; null: the database is elsewhere, or its folder is not there. */
export async function readDiskRoom(
  deps: { readonly config: Pick<Config, "databaseUrl" | "dataDir"> },
  read: (folder: string) => Promise<FileSystemFigures> = statfs,
): Promise<DiskRoom | null> {
  const { databaseUrl, dataDir } = deps.config;
  if (databaseUrl !== undefined) return null;
  const found = await read(await homeOf(dataDir)).catch(() => null);
  return found === null ? null : roomOf(found);
}
