import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

const NEWEST = "newest.checkpoint";
const FILE_BYTES_MAX = 16_384;

/**
 * Writes a note into a folder: as the newest, and as the last of its day, which stays. Each file is replaced whole: who copies the folder
 * never finds half a note.
 */
export async function writeCheckpointFile(folder: string, note: string, time: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of [`${time.slice(0, "2026-03-01".length)}.checkpoint`, NEWEST]) {
    const draft = join(folder, `.${name}.${process.pid}`);
    const file = await open(draft, "w", 0o644);
    try {
      await file.writeFile(note);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
  }
}

/** Reads the newest note of a folder; null: there is none yet. */
export async function readNewestFile(folder: string): Promise<string | null> {
  try {
    return await readNoteFile(join(folder, NEWEST));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Reads a file with one note. */
export async function readNoteFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8");
  if (text.length > FILE_BYTES_MAX) throw new Error(`${path} is no checkpoint: it is too long`);
  return text;
}
