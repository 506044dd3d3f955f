import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { isProcessAlive } from "../db/embedded/is-process-alive.ts";
import { LOCATION_FILE } from "../db/embedded/launcher.ts";
import { logSpoolOf } from "../db/embedded/server-settings.ts";
import { archivedMarkPath } from "./archived-mark.ts";
import { syncFolder } from "./backup-place.ts";
import { BackupError } from "./manifest.ts";

const DRAFT_PREFIX = "restore-";
/** What a disk or its permissions can be like, rather than an error of the service. */
const DISK_CODES: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EACCES",
  "EPERM",
  "ENOTDIR",
  "EEXIST",
  "EIO",
]);

/**
 * Fills a draft inside a data folder and moves it into place once it is complete, so that a killed restore leaves no store.
 * @throws BackupError for a folder that contains a store, or cannot be written
 */
export async function fillDataFolder(
  { dataDir }: Pick<Config, "dataDir">,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  for (const name of ["pg", LOCATION_FILE]) {
    if ((await stat(join(dataDir, name)).catch(() => undefined)) === undefined) continue;
    throw new BackupError(
      `The data folder ${dataDir} holds a store already: nothing was restored. Name a new folder with POINTKEEPER_DATA_DIR, or stop the service and move ${name} away.`,
    );
  }
  try {
    await fillNew(dataDir, fill);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && DISK_CODES.has(String(error.code)))) throw error;
    throw new BackupError(`The data folder ${dataDir} cannot be written: ${error.message}. Nothing was restored.`, {
      cause: error,
    });
  }
}

async function fillNew(dataDir: string, fill: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dataDir)) {
    const pid = Number(name.startsWith(DRAFT_PREFIX) ? name.slice(DRAFT_PREFIX.length) : Number.NaN);
    if (pid > 0 && !isProcessAlive(pid)) await remove(join(dataDir, name));
  }
  const draft = join(dataDir, `${DRAFT_PREFIX}${process.pid}`);
  await remove(draft);
  try {
    await fill(draft);
    const isElsewhere = (await stat(join(draft, LOCATION_FILE)).catch(() => undefined)) !== undefined;
    const placed = isElsewhere ? LOCATION_FILE : "pg";
    await moveSpoolAside(dataDir);
    await rename(join(draft, placed), join(dataDir, placed));
    await syncFolder(dataDir);
  } finally {
    await remove(draft);
  }
}

/** Log that waits in the folder is of the store that was there before: the new one would archive it as its own, or fail to add segments of the same name. */
async function moveSpoolAside(dataDir: string): Promise<void> {
  await remove(archivedMarkPath(dataDir));
  const spool = logSpoolOf(dataDir);
  const names = await readdir(spool).catch(() => []);
  if (names.length === 0) return remove(spool);
  const time = Temporal.Now.instant().round("second").toString().replace(/[-:]/g, "");
  await rename(spool, `${spool}.before-${time}`);
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
