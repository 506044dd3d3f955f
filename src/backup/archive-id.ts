import { randomUUID } from "node:crypto";
import { link, lstat, mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answered } from "./answered.ts";
import { type BackupPlace, syncFolder } from "./backup-place.ts";

/** The file of an archive that tells it from the empty folder, or the folder of another time, below which its disk is mounted. */
const ARCHIVE_ID_NAME = "archive-id";

/** The errors of a file of another user: it may not be read, or in a folder with the sticky bit not be replaced. */
const DENIED = ["EACCES", "EPERM"];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id of an archive of the log; null: it has none, a damaged one, or one that only its former user may read. */
export async function readArchiveId(archive: Pick<BackupPlace, "read">): Promise<string | null> {
  const bytes = await archive.read(ARCHIVE_ID_NAME).catch((error: unknown) => {
    if (isDenied(error)) return null;
    throw error;
  });
  const text = bytes?.toString("latin1").trim() ?? "";
  return UUID.test(text) ? text : null;
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && "code" in error && DENIED.includes(String(error.code));
}

/**
 * Returns the id of an archive in a folder, which is then a new file for whoever removes old ones. An archive that has none gets the one that it is known
 * to have had, or a new one. Null: it has one of another user that can be neither read nor replaced, so it is used as one without any.
 */
export async function ensureArchiveId(
  archive: Pick<BackupPlace, "path" | "read">,
  lost: string | null,
): Promise<string | null> {
  const held = <T>(begin: () => Promise<T>) => answered(archive.path, begin);
  const path = join(archive.path, ARCHIVE_ID_NAME);
  const known = await readArchiveId(archive);
  if (known !== null) {
    await held(() => touch(path));
    return known;
  }
  const id = lost ?? randomUUID();
  const draft = join(archive.path, `.${ARCHIVE_ID_NAME}.partial-${randomUUID()}`);
  await held(() => mkdir(archive.path, { recursive: true, mode: 0o700 }));
  try {
    // for every user: the service may run as another one later, and the id is no secret
    await held(() => writeFile(draft, `${id}\n`, { flag: "wx", mode: 0o644, flush: true }));
    await held(() => link(draft, path).catch(() => {})); // another process may have given it one at the same time
    if ((await readArchiveId(archive)) === null) await held(() => rename(draft, path)); // a damaged one, or a file system without hard links
    await held(() => syncFolder(archive.path));
  } catch (error) {
    if (isDenied(error) && (await held(() => isThere(path)))) return null;
    throw error;
  } finally {
    await held(() => rm(draft, { force: true })).catch(() => {}); // the first error says more
  }
  return (await readArchiveId(archive)) ?? id;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {}); // another user's file: the archive is the same with an old id
}
