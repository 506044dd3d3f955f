import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import type { Launcher } from "./launcher.ts";
import { isSocketDirUsable } from "./server-settings.ts";

/**
 * Creates the private folder of the server's socket: `run` beside the data or, if that path is too long for a socket, a folder in the folder for temporary
 * files, with the same name for every process that uses this data.
 * @throws EmbeddedServerError if another user owns that name
 */
export async function chooseSocketDir(launcher: Launcher): Promise<string> {
  const own = join(launcher.home, "run");
  const name = `pointkeeper-${createHash("sha256").update(launcher.home).digest("hex").slice(0, 16)}`;
  const dir = [own, join(tmpdir(), name)].find(isSocketDirUsable) ?? join("/tmp", name);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const found = await lstat(dir);
  const owner = launcher.owner ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (!found.isDirectory() || (found.uid !== owner.uid && found.uid !== process.getuid?.())) {
    throw new EmbeddedServerError(
      `The folder ${dir}, meant for the database's socket, belongs to another user. Remove it and start again.`,
    );
  }
  await chmod(dir, 0o700);
  if (launcher.owner) await chown(dir, owner.uid, owner.gid);
  return dir;
}
