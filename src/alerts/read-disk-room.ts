import { statfs } from "node:fs/promises";
import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import type { DiskRoom } from "./disk-room.ts";

type FileSystemFigures = Readonly<Record<"bavail" | "bsize" | "blocks" | "files" | "ffree", number>>;

/** Returns the room on the disk of the embedded database; null: the database is elsewhere, or its folder is not there. */
export async function readDiskRoom(
  deps: { readonly config: Pick<Config, "databaseUrl" | "dataDir"> },
  read: (folder: string) => Promise<FileSystemFigures> = statfs,
): Promise<DiskRoom | null> {
  const { databaseUrl, dataDir } = deps.config;
  if (databaseUrl !== undefined) return null;
  const found = await read(await homeOf(dataDir)).catch(() => null);
  if (found === null) return null;
  const { bavail, bsize, blocks, files, ffree } = found;
  return {
    freeBytes: bavail * bsize,
    sizeBytes: blocks * bsize,
    freeFiles: files > 0 ? ffree : null, // a file system without a fixed number of files has none
  };
}
