import { randomUUID } from "node:crypto";
import type { BackupPlace } from "./backup-place.ts";

/** The file of an archive that tells it from the empty folder, or the folder of another time, below which its disk is mounted. */
export const ARCHIVE_ID_NAME = "archive-id";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id of an archive of the log; null: it has none, or a damaged one. */
export async function readArchiveId(archive: Pick<BackupPlace, "read">): Promise<string | null> {
  const text = (await archive.read(ARCHIVE_ID_NAME))?.toString("latin1").trim() ?? "";
  return UUID.test(text) ? text : null;
}

/** Returns the id of an archive. One that has none gets the one that it is known to have had, or a new one. */
export async function ensureArchiveId(
  archive: Pick<BackupPlace, "read" | "write">,
  lost: string | null,
): Promise<string> {
  const known = await readArchiveId(archive);
  if (known !== null) return known;
  const id = lost ?? randomUUID();
  await archive.write(ARCHIVE_ID_NAME, Buffer.from(`${id}\n`));
  return (await readArchiveId(archive)) ?? id; // another process may have given it one at the same time
}
