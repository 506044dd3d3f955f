import { readdir, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { isProcessAlive } from "./is-process-alive.ts";
import { isServerOf } from "./is-server-of.ts";
import { isPostgres, type PostmasterFile, parsePostmasterFile } from "./postmaster-file.ts";

/**
 * Finds the server that runs on a PostgreSQL folder, whichever process started it. `postmaster.pid` is not sufficient: its process must be
 * a `postgres` whose arguments name the folder, because the number may now belong to another process.
 */
export async function findRunningServer(pgDir: string): Promise<PostmasterFile | undefined> {
  const path = join(pgDir, "postmaster.pid");
  const text = await readFile(path, "utf8").catch(() => undefined);
  const file = text === undefined ? undefined : parsePostmasterFile(text);
  if (file === undefined) return undefined;
  if (await isServerOf(file.pid, pgDir)) return file;
  // PostgreSQL refuses to start while the file names any living process. In every other case the file stays: with it the server itself waits for
  // orphaned processes of a killed server.
  if (isProcessAlive(file.pid) && !(await hasOrphans(pgDir))) await rm(path, { force: true });
  return undefined;
}

/** Whether processes of a killed server still use the folder: each of them has it as its working directory. */
async function hasOrphans(pgDir: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const links = await Promise.all([readlink(`/proc/${pid}/exe`), readlink(`/proc/${pid}/cwd`)]).catch(
        () => undefined,
      );
      return links !== undefined && isPostgres(links[0]) && links[1] === pgDir;
    }),
  );
  return found.includes(true);
}
