import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObjectPlace, type ObjectStoreAccess } from "../object-store/object-place.ts";
import { openPlace } from "../object-store/open-place.ts";

const NEWEST = "newest.checkpoint";
const FILE_BYTES_MAX = 16_384;

/** A folder as a path, or `s3://bucket/prefix`, with the access to the bucket. */
export interface CheckpointFolder {
  readonly folder: string;
  readonly access: ObjectStoreAccess | null;
}

/**
 * Writes a note into a folder or bucket: as the newest one, and as the last one of its day, which stays. Each file is replaced atomically,
 * so a copy of the folder never contains half a note.
 */
export async function writeCheckpointFile(
  { folder, access }: CheckpointFolder,
  { note, time }: { readonly note: string; readonly time: string },
): Promise<void> {
  const names = [`${time.slice(0, "2026-03-01".length)}.checkpoint`, NEWEST];
  if (isObjectPlace(folder)) {
    const objects = openPlace(folder, access);
    for (const name of names) await objects.replace(name, Buffer.from(note));
    return;
  }
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const draft = join(folder, `.${name}.${randomUUID()}`); // containers that share the folder may have the same process id
    try {
      await writeFile(draft, note, { flag: "wx", mode: 0o644, flush: true });
      await rename(draft, join(folder, name));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {}); // the error of writing says more
      throw error;
    }
  }
}

/** Reads the newest note of a folder; null: there is none yet. */
export async function readNewestFile({ folder, access }: CheckpointFolder): Promise<string | null> {
  if (isObjectPlace(folder)) {
    const found = await openPlace(folder, access).get(NEWEST, FILE_BYTES_MAX);
    return found === null ? null : found.toString("utf8");
  }
  try {
    return await readNoteFile(join(folder, NEWEST));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Reads a file with a single note. */
export async function readNoteFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  if (text.length > FILE_BYTES_MAX) throw new Error(`${path} is no checkpoint: it is too long`);
  return text;
}
