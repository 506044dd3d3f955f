import { lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const IN_PROJECT = resolve(import.meta.dirname, "../../../node_modules/.cache");

/**
 * A folder of this user alone that outlives a run: beside the packages where they may be written, else among the system's temporary
 * files. One that belongs to somebody else is refused: what lies in it would be run.
 */
export async function cacheFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0; // a user without a passwd entry has one too
  const name = `pointkeeper-tests-${uid}`;
  const inProject = join(IN_PROJECT, name);
  const folder = await mkdir(inProject, { recursive: true, mode: 0o700 }).then(
    () => inProject,
    () => join(tmpdir(), name),
  );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = await lstat(folder);
  if (!owner.isDirectory() || owner.uid !== uid) throw new Error(`${folder} belongs to another user: remove it`);
  return folder;
}
