import { randomUUID } from "node:crypto";
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../deps.ts";
import { majorOf } from "./binaries.ts";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { isProcessAlive } from "./is-process-alive.ts";
import { type Launcher, LOCATION_FILE } from "./launcher.ts";
import { runProgram } from "./run-program.ts";
import { initdbArguments } from "./server-settings.ts";

const NEW_PREFIX = "pg.new-";

/** The new folders that this process is creating. */
const making = new Set<string>();

/**
 * Makes sure that the launcher's home contains a complete PostgreSQL folder, and returns its path. A new one is created beside it and renamed when it is
 * complete, because a folder whose creation was killed would never start.
 * @throws EmbeddedServerError if the folder is of another major version or incomplete
 */
export async function initDataFolder(options: { dataDir: string; launcher: Launcher; log: Log }): Promise<string> {
  const { dataDir, launcher, log } = options;
  const pgDir = join(launcher.home, "pg");
  await removeAbandoned(launcher.home);
  if (await isWhole(pgDir, majorOf(launcher.binaries.version))) return pgDir;
  if (launcher.home === dataDir || (await stat(join(dataDir, LOCATION_FILE)).catch(() => undefined)) === undefined) {
    log.info({ folder: pgDir }, "creating the embedded database");
    await makeFolder(launcher, pgDir);
  } else {
    throw new EmbeddedServerError(
      `The database of ${dataDir} should be in ${pgDir}, as ${LOCATION_FILE} says, but nothing is there. Bring it back, or remove ${LOCATION_FILE} to begin with an empty one.`,
    );
  }
  if (launcher.home !== dataDir) await writeFile(join(dataDir, LOCATION_FILE), `${launcher.home}\n`, { flush: true });
  return pgDir;
}

/** True: ready to start. False: there is no folder yet. */
async function isWhole(pgDir: string, major: string): Promise<boolean> {
  const names = await readdir(pgDir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw new EmbeddedServerError(`The database folder ${pgDir} cannot be read: ${error.message}.`, { cause: error });
  });
  if (names.length === 0) return false;
  const version = names.includes("PG_VERSION") ? (await readFile(join(pgDir, "PG_VERSION"), "utf8")).trim() : "";
  if (!/^\d+$/.test(version) || (version === major && (await isAbsent(join(pgDir, "global", "pg_control"))))) {
    throw new EmbeddedServerError(
      `The folder ${pgDir} has files, but is not a whole database (${version === "" ? "PG_VERSION is missing" : `PG_VERSION says "${version}"`}). Restore it from a backup, or move it away to begin with an empty database.`,
    );
  }
  if (version !== major) {
    throw new EmbeddedServerError(
      `The database in ${pgDir} was created by PostgreSQL ${version}; this Pointkeeper brings PostgreSQL ${major}. Back it up with the version of Pointkeeper that created it, or with POINTKEEPER_PG_BIN set to the programs of PostgreSQL ${version}, and restore that backup here (docs/backup.md).`,
    );
  }
  return true;
}

async function isAbsent(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) === undefined;
}

async function makeFolder(launcher: Launcher, pgDir: string): Promise<void> {
  const fresh = join(launcher.home, `${NEW_PREFIX}${process.pid}-${randomUUID().slice(0, 8)}`);
  making.add(fresh);
  await mkdir(fresh, { mode: 0o700 });
  if (launcher.owner) await chown(fresh, launcher.owner.uid, launcher.owner.gid);
  const made = await runProgram(launcher.command(launcher.binaries.initdb, initdbArguments(fresh, process.platform)));
  if (!made.ok) {
    await rm(fresh, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    throw new EmbeddedServerError(`The database could not be created in ${pgDir}. initdb said:\n${made.output.trim()}`);
  }
  try {
    await rename(fresh, pgDir);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    const isMadeByAnother =
      error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST");
    if (!isMadeByAnother) throw error;
  }
  await syncFolder(launcher.home);
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, "r");
  await handle.sync();
  await handle.close();
}

/** Removes what a killed first start left, but nothing that a living process is still creating. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = name.startsWith(NEW_PREFIX) ? Number.parseInt(name.slice(NEW_PREFIX.length), 10) : Number.NaN;
    const path = join(home, name);
    if (Number.isNaN(pid) || (pid === process.pid ? making.has(path) : isProcessAlive(pid))) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
