import { randomUUID } from "node:crypto";
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Header } from "tar";
import { isObjectPlace, type ObjectStoreAccess } from "../object-store/object-place.ts";
import type { ObjectStore, StoredObject } from "../object-store/open-object-store.ts";
import { openPlace } from "../object-store/open-place.ts";
import { answered } from "./answered.ts";
import { placePath, removeTree, syncFolder } from "./backup-place.ts";
import {
  BackupError,
  encodeManifest,
  FORMAT,
  MANIFEST_NAME,
  type Manifest,
  PART_BYTES,
  type StoredPart,
} from "./manifest.ts";
import { type PartEncoder, sha256Of } from "./part-coder.ts";

/** Where a backup is written: a new folder, one in a bucket, or a new file that ends in `.tar`. It counts as a backup only once complete. */
export interface BackupTarget {
  readonly path: string;
  put(name: string, bytes: Buffer): Promise<void>;
  /** Makes the backup appear at its path, durably. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

const BLOCK_BYTES = 512;
/** One file of a backup that failed is removed within this time, or all of it is left to the next scheduled backup. */
const DISCARD_MS = 60_000;

/**
 * Starts a backup at `path`, which must not exist, or must be an empty folder. The signal ends requests to a bucket, but not those that remove what was
 * written.
 * @throws BackupError for a path that cannot be written or that already exists
 */
export async function openTarget(
  path: string,
  access: ObjectStoreAccess | null,
  signal?: AbortSignal,
): Promise<BackupTarget> {
  const place = placePath(path);
  if (isObjectPlace(place)) return openInBucket(place, access, signal);
  const found = await stat(place).catch(() => undefined);
  const isEmptyFolder = found?.isDirectory() === true && (await readdir(place)).length === 0;
  if (found !== undefined && !isEmptyFolder)
    throw new BackupError(
      `${place} is there already and not empty: name a new folder, or a new file that ends in .tar.`,
    );
  const draft = `${place}.partial-${randomUUID()}`; // containers that share a folder may have the same process id
  const target = place.endsWith(".tar") ? openTar : openFolder;
  try {
    await mkdir(dirname(place), { recursive: true });
    return named(await target(draft, place), place);
  } catch (error) {
    throw failed(place, error);
  }
}

async function openInBucket(
  place: string,
  access: ObjectStoreAccess | null,
  signal: AbortSignal | undefined,
): Promise<BackupTarget> {
  if (place.endsWith(".tar"))
    throw new BackupError("A backup in a bucket is a folder of parts: leave .tar out of its name.");
  try {
    const ending = access === null || signal === undefined ? access : { ...access, signal };
    const objects = openPlace(place, ending);
    const found = await objects.list("");
    if (found.length > 0)
      throw new BackupError(`${place} holds ${found.length} objects already: name a new folder of the bucket.`);
    return named(bucketTarget(objects, openPlace(place, access)), place);
  } catch (error) {
    throw error instanceof BackupError ? error : failed(place, error);
  }
}

/**
 * Parts are stored as they arrive. The manifest is written only after all parts were found with their sizes, so that a backup with a
 * part that is missing or was removed meanwhile never counts as one. Afterwards they are looked for once more: a process that was frozen just before
 * its manifest, for longer than its lease, may find that another one has removed what it took for the parts of a dead one.
 */
function bucketTarget(objects: ObjectStore, remover: Pick<ObjectStore, "remove">): BackupTarget {
  const written = new Map<string, number>();
  let manifest: Buffer | undefined;
  const lostOf = (listed: readonly StoredObject[]) => {
    const found = new Map(listed.map(({ name, bytes }) => [name, bytes]));
    return [...written].find(([name, bytes]) => found.get(name) !== bytes)?.[0];
  };
  return {
    path: objects.place,
    async put(name, bytes) {
      if (name === MANIFEST_NAME) {
        manifest = bytes;
        return;
      }
      written.set(name, bytes.length);
      await objects.put(name, bytes);
    },
    async finish() {
      if (manifest === undefined) throw new Error("a backup ends with its manifest");
      const before = await objects.list("");
      const lost = lostOf(before);
      if (lost !== undefined || before.length !== written.size) throw notAsStored(lost ?? objects.place);
      await objects.put(MANIFEST_NAME, manifest);
      const after = await objects.list("").catch(() => null); // nothing is known against it
      const lostSince = after === null ? undefined : lostOf(after);
      if (lostSince !== undefined) throw notAsStored(lostSince);
    },
    async discard() {
      await remover.remove([MANIFEST_NAME, ...written.keys()]).catch(() => {}); // without its manifest it is no backup
    },
  };
}

function notAsStored(what: string): BackupError {
  return new BackupError(`${what} is not as it was stored: something else writes there`);
}

/** Adds the path to every error of writing. */
function named(target: BackupTarget, place: string): BackupTarget {
  const run = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      throw failed(place, error);
    });
  return {
    path: place,
    put: (name, bytes) => run(target.put(name, bytes)),
    finish: () => run(target.finish()),
    discard: target.discard,
  };
}

function failed(place: string, error: unknown): BackupError {
  const reason = error instanceof Error ? error.message : String(error);
  return new BackupError(`The backup cannot be written to ${place}: ${reason}. No complete backup was left there.`, {
    cause: error,
  });
}

async function openFolder(draft: string, place: string): Promise<BackupTarget> {
  await mkdir(draft, { mode: 0o700 });
  const folders = new Set([draft]);
  return {
    path: place,
    async put(name, bytes) {
      const path = join(draft, name);
      if (!folders.has(dirname(path))) {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        folders.add(dirname(path)).add(dirname(dirname(path)));
      }
      await writeFile(path, bytes, { flag: "wx", mode: 0o600, flush: true });
    },
    async finish() {
      for (const folder of folders) await syncFolder(folder);
      await rename(draft, place).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
        throw new Error("another backup was written there meanwhile", { cause: error });
      });
      await syncFolder(dirname(place));
    },
    discard: () => removeTree(draft, { waitMs: DISCARD_MS }),
  };
}

async function openTar(draft: string, place: string): Promise<BackupTarget> {
  const file = await open(draft, "wx", 0o600);
  const mtime = new Date(0);
  return {
    path: place,
    async put(name, bytes) {
      const header = Buffer.alloc(BLOCK_BYTES);
      new Header({ path: name, size: bytes.length, mode: 0o600, mtime, type: "File" }).encode(header, 0);
      const padding = Buffer.alloc((BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES);
      await writeAll(file, [header, bytes, padding]);
      await file.datasync(); // the limit of a call is for one part: at the end all of them would be written to a slow share at once
    },
    async finish() {
      await writeAll(file, [Buffer.alloc(2 * BLOCK_BYTES)]);
      await file.sync();
      await file.close();
      await placeNew(draft, place);
      await syncFolder(dirname(place));
    },
    async discard() {
      const close = () => file.close().catch(() => {}); // finished already
      await answered(draft, close, { folder: dirname(draft), waitMs: DISCARD_MS });
      await removeTree(draft, { waitMs: DISCARD_MS });
    },
  };
}

/**
 * Gives a file its name unless another one has it by now: a rename would replace the backup of a command that ran at the same time. File systems
 * refuse a hard link in many ways: then the file is renamed, if nothing has its name. NFS may report that the link exists where it was just made.
 */
async function placeNew(draft: string, place: string): Promise<void> {
  try {
    await link(draft, place);
  } catch (error) {
    const isTaken = isCode(error, "EEXIST") ? !(await isSameFile(draft, place)) : await isThere(place);
    if (isTaken) throw new Error("another backup was written there meanwhile", { cause: error });
    if (!isCode(error, "EEXIST")) return rename(draft, place);
  }
  await rm(draft).catch(() => {}); // the backup has its name: a draft that stays is another name of it
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([lstat(a, { bigint: true }), lstat(b, { bigint: true })]);
  return one.dev === other.dev && one.ino === other.ino;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) await file.writeFile(piece);
}

/** Cuts a stream of bytes into parts and stores each; `prefix` is the start of their names. Memory: two parts. */
export async function putParts(
  { target, encoder }: { readonly target: BackupTarget; readonly encoder: PartEncoder },
  prefix: string,
  source: AsyncIterable<Buffer>,
): Promise<StoredPart[]> {
  const parts: StoredPart[] = [];
  async function put(raw: Buffer): Promise<void> {
    const bytes = await encoder.encode(raw);
    const name = `${prefix}${String(parts.length + 1).padStart(6, "0")}${encoder.suffix}`;
    await target.put(name, bytes);
    parts.push({ name, bytes: bytes.length, sha256: sha256Of(bytes) });
  }
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of source) {
    for (let rest = piece; rest.length > 0; ) {
      const taken = rest.subarray(0, PART_BYTES - size);
      held.push(taken);
      size += taken.length;
      rest = rest.subarray(taken.length);
      if (size < PART_BYTES) continue;
      await put(Buffer.concat(held, size));
      held = [];
      size = 0;
    }
  }
  if (size > 0) await put(Buffer.concat(held, size));
  return parts;
}

/** Writes the manifest last, and makes the backup appear. */
export async function finishBackup(target: BackupTarget, content: Omit<Manifest, "format">): Promise<Manifest> {
  const manifest = { format: FORMAT, ...content };
  await target.put(MANIFEST_NAME, Buffer.from(encodeManifest(manifest)));
  await target.finish();
  return manifest;
}
