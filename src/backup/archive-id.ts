import { randomUUID } from "node:crypto";
import { link, mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BackupPlace, syncFolder } from "./backup-place.ts";

/** The file of an archive that tells it from the empty folder, or the folder of another time, below which its disk is mounted. */
const ARCHIVE_ID_NAME = "archive-id";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id of an archive of the log; null: it has none, a damaged one, or one that only its former user may read. */
export async function readArchiveId(archive: Pick<BackupPlace, "read">): Promise<string | null> {
  const bytes = await archive.read(ARCHIVE_ID_NAME).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && ["EACCES", "EPERM"].includes(String(error.code))) return null;
    throw error;
  });
  const text = bytes?.toString("latin1").trim() ?? "";
  return UUID.test(text) ? text : null;
}

/**
 * Returns the id of an archive in a folder, which is then a new file for whoever removes old ones. An archive that has none gets the one that it is known
 * to have had, or a new one.
 */
export async function ensureArchiveId(
  archive: Pick<BackupPlace, "path" | "read">,
  lost: string | null,
): Promise<string> {
  const known = await readArchiveId(archive);
  if (known !== null) {
    await touch(join(archive.path, ARCHIVE_ID_NAME));
    return known;
  }
  const id = lost ?? randomUUID();
  const draft = join(archive.path, `.${ARCHIVE_ID_NAME}.partial-${randomUUID()}`);
  await mkdir(archive.path, { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, `${id}\n`, { flag: "wx", mode: 0o600, flush: true });
    const path = join(archive.path, ARCHIVE_ID_NAME);
    await link(draft, path).catch(() => {}); // another process may have given it one at the same time
    if ((await readArchiveId(archive)) === null) await rename(draft, path); // a damaged one, or a file system without hard links
    await syncFolder(archive.path);
  } finally {
    await rm(draft, { force: true }).catch(() => {}); // the first error says more
  }
  return (await readArchiveId(archive)) ?? id;
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {}); // another user's file: the archive is the same with an old id
}
