import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Header } from "tar";
import { noteCall, whileAnswering } from "../file-calls.ts";
import { isObjectPlace, type ObjectStoreAccess } from "../object-store/object-place.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { FILE_BYTES_MAX, openBackupPlace, placePath } from "./backup-place.ts";
import {
  BackupError,
  MANIFEST_NAME,
  type Manifest,
  NoBackupError,
  parseManifest,
  type StoredPart,
} from "./manifest.ts";
import { type PartDecoder, sha256Of } from "./part-coder.ts";
import { readBytesAt } from "./read-bytes-at.ts";

/** A complete backup that is opened for reading. */
export interface OpenBackup {
  readonly path: string;
  readonly manifest: Manifest;
  /** Reads one part, decrypted and decompressed, after comparing it with the manifest. @throws BackupError naming a damaged part */
  read(part: StoredPart): Promise<Buffer>;
  close(): Promise<void>;
}

const BLOCK_BYTES = 512;
/** A file is closed once what is being read of it is there: on a share that is away nobody waits for that. */
const CLOSE_MS = 1_000;
/** The names that `putParts` makes, so that no path in a manifest can lead out of the backup. */
const PART_NAME = /^[a-z0-9_]+(?:\/[a-z0-9_]+)*(?:\.[a-z0-9]+)*$/;

interface Files {
  read(name: string): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens the backup in a folder, which may be in a bucket, or in a `.tar` file.
 * @throws BackupError where there is no backup, or an incomplete one
 */
export async function openBackup(
  path: string,
  decoder: PartDecoder,
  access: ObjectStoreAccess | null,
): Promise<OpenBackup> {
  const place = placePath(path);
  const files = isObjectPlace(place) ? bucketFiles(place, access) : await localFiles(place);
  try {
    const text = await files.read(MANIFEST_NAME).catch((error: unknown) => {
      if (!isMissing(error)) throw unreadable(`${MANIFEST_NAME} of the backup`, error);
      throw new BackupError(
        `${place} is not a complete backup: it has no ${MANIFEST_NAME}, which is written last. Use another backup.`,
        { cause: error },
      );
    });
    const manifest = parseManifest(text.toString("utf8"), place);
    return { path: place, manifest, read: (part) => readPart(files, part, decoder), close: files.close };
  } catch (error) {
    await files.close();
    throw error;
  }
}

async function readPart(files: Files, part: StoredPart, decoder: PartDecoder): Promise<Buffer> {
  if (!PART_NAME.test(part.name))
    throw new BackupError(`The manifest names a part "${part.name}", which is no name of one.`);
  const stored = await files.read(part.name).catch((error: unknown) => {
    if (!isMissing(error)) throw unreadable(`${part.name} of the backup`, error);
    throw new BackupError(`${part.name} of the backup is missing. Use another backup.`, { cause: error });
  });
  if (stored.length !== part.bytes || sha256Of(stored) !== part.sha256)
    throw new BackupError(
      `${part.name} of the backup is damaged: it is not what the manifest says. Use another backup.`,
    );
  return decoder.decode(part, stored);
}

/** A file that the backup lacks, whatever is tried. */
class MissingError extends Error {}

function isMissing(error: unknown): boolean {
  return error instanceof MissingError || (error instanceof Error && "code" in error && error.code === "ENOENT");
}

/** A place that is away, slow or forbidden for now makes no backup a bad one. */
function unreadable(what: string, error: unknown): BackupError {
  const reason = error instanceof Error ? error.message : String(error);
  return new BackupError(
    `${what} cannot be read: ${reason}. This does not mean that the backup is damaged: try again when its place can be read.`,
    { cause: error },
  );
}

function bucketFiles(path: string, access: ObjectStoreAccess | null): Files {
  const place = openBackupPlace(path, access);
  const read = async (name: string) => {
    const bytes = await place.read(name);
    if (bytes === null) throw new MissingError(name);
    return bytes;
  };
  return { read, close: async () => {} };
}

async function localFiles(place: string): Promise<Files> {
  const found = await whileAnswering(place, () => stat(place)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw unreadable(place, error);
    throw new NoBackupError(`There is no backup at ${place}: ${error.message}.`);
  });
  return found.isDirectory() ? folderFiles(place) : tarFiles(place);
}

function folderFiles(dir: string): Files {
  return { read: (name) => whileAnswering(dir, () => readFile(join(dir, name))), close: async () => {} };
}

/** Finds the files of a tar by their headers, without reading their contents. */
async function tarFiles(path: string): Promise<Files> {
  const file = await whileAnswering(path, () => open(path, "r")).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const close = () => waitAtMost(noteCall(file.close()), CLOSE_MS).catch(() => {}); // nothing was written
  try {
    const entries = await whileAnswering(path, (advances) => readHeaders(file, advances)).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    const read = async (name: string) => {
      const entry = entries.get(name);
      if (entry === undefined) throw new MissingError(name);
      const bytes = await whileAnswering(path, () => readBytesAt(file, entry.position, entry.size));
      if (bytes.length !== entry.size) throw new MissingError(name); // the file ends early
      return bytes;
    };
    return { read, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readHeaders(
  file: FileHandle,
  advances: () => void,
): Promise<Map<string, { position: number; size: number }>> {
  const entries = new Map<string, { position: number; size: number }>();
  for (let position = 0; ; ) {
    const block = await readBytesAt(file, position, BLOCK_BYTES);
    advances();
    const header = block.length === BLOCK_BYTES ? new Header(block, 0) : undefined;
    if (header === undefined || header.nullBlock || !header.cksumValid) return entries;
    const { path = "", size = 0 } = header;
    if (size > FILE_BYTES_MAX) return entries;
    entries.set(path, { position: position + BLOCK_BYTES, size });
    position += BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}
