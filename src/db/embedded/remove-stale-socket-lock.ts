import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isServerOf } from "./is-server-of.ts";
import { parsePostmasterFile } from "./postmaster-file.ts";
import { SERVER_PORT } from "./server-settings.ts";

/**
 * Removes the socket's lock of a server that was killed: it, too, would keep a new one from starting while its process number belongs
 * to any process.
 */
export async function removeStaleSocketLock(socketDir: string, pgDir: string): Promise<void> {
  const path = join(socketDir, `.s.PGSQL.${SERVER_PORT}.lock`);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const file = parsePostmasterFile(text);
  if (file === undefined || !(await isServerOf(file.pid, pgDir))) await rm(path, { force: true });
}
