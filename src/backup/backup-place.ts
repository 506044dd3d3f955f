import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { CallLimits } from "../file-calls.ts";
import { isObjectPlace, type ObjectStoreAccess } from "../object-store/object-place.ts";
import type { ObjectStore } from "../object-store/open-object-store.ts";
import { openPlace } from "../object-store/open-place.ts";
import { answered } from "./answered.ts";
import { MANIFEST_NAME } from "./manifest.ts";

/** The place of backups and the archived log: a folder, or a prefix of a bucket. Names are relative to it, with slashes. */
export interface BackupPlace {
  /** A folder as an absolute path, or `s3://bucket/prefix`. */
  readonly path: string;
  /** The entries directly in a folder of the place; "" is the place itself. Empty where the folder does not exist. */
  names(folder: string): Promise<string[]>;
  /** The content of a file; null where it does not exist. */
  read(name: string): Promise<Buffer | null>;
  /** Stores a new file atomically; it is durable once this returns. */
  write(name: string, bytes: Buffer): Promise<void>;
  /** Removes a file. */
  remove(name: string): Promise<void>;
  /** Removes what writes that were killed left directly in a folder; those of others that may still run stay. */
  removeDrafts(folder: string): Promise<void>;
  /** Removes a backup so that what is left of it does not count as one where this is interrupted. */
  removeBackup(name: string): Promise<void>;
}

/** Bytes; more than any part has, and than the manifest of a store of 100 TB. */
export const FILE_BYTES_MAX: number = 256 * 2 ** 20;

/** A file that is not complete; those of earlier versions had no unique name. */
const DRAFT = /^\..+\.partial(?:-[\w-]+)?$/;
/** After this long no write of a file still runs. */
const DRAFT_AGE_MS = 24 * 60 * 60 * 1_000;

/** The normalised path of a place: `s3://bucket/prefix` without a final slash, or an absolute path. */
export function placePath(path: string): string {
  return isObjectPlace(path) ? path.replace(/\/+$/, "") : resolve(path);
}

export function pathBelow(path: string, name: string): string {
  return isObjectPlace(path) ? `${path}/${name}` : join(path, name);
}

/** The parent of a path, and the name in it. */
export function splitPath(path: string): { readonly parent: string; readonly name: string } {
  if (!isObjectPlace(path)) return { parent: dirname(path), name: basename(path) };
  const at = path.lastIndexOf("/");
  return { parent: path.slice(0, at), name: path.slice(at + 1) };
}

/** Opens a place; one that does not exist is empty. @throws ObjectStoreError for an invalid place in a bucket, or without credentials */
export function openBackupPlace(path: string, access: ObjectStoreAccess | null): BackupPlace {
  return isObjectPlace(path) ? bucketPlace(openPlace(path, access)) : answering(folderPlace(resolve(path)));
}

/** Fails each call on a folder that does not answer. The removal of a backup consists of many, each of which has its time. */
function answering(place: BackupPlace): BackupPlace {
  const held = <T>(begin: () => Promise<T>) => answered(place.path, begin);
  return {
    path: place.path,
    names: (folder) => held(() => place.names(folder)),
    read: (name) => held(() => place.read(name)),
    write: (name, bytes) => held(() => place.write(name, bytes)),
    remove: (name) => held(() => place.remove(name)),
    removeDrafts: (folder) => held(() => place.removeDrafts(folder)),
    removeBackup: place.removeBackup,
  };
}

function bucketPlace(objects: ObjectStore): BackupPlace {
  return {
    path: objects.place,
    names: (folder) => objects.names(folder === "" ? "" : `${folder}/`),
    read: (name) => objects.get(name, FILE_BYTES_MAX),
    write: (name, bytes) => objects.put(name, bytes),
    remove: (name) => objects.remove([name]),
    removeDrafts: async () => {}, // an object appears only once it is complete
    async removeBackup(name) {
      await objects.remove([`${name}/${MANIFEST_NAME}`]);
      await objects.remove((await objects.list(`${name}/`)).map((object) => object.name));
    },
  };
}

function folderPlace(path: string): BackupPlace {
  return {
    path,
    names: (folder) => orWhereNone(readdir(join(path, folder)), []),
    read: (name) => orWhereNone<Buffer | null>(readFile(join(path, name)), null),
    async write(name, bytes) {
      const place = join(path, name);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      const draft = join(dirname(place), `.${basename(place)}.partial-${randomUUID()}`); // two processes may write one file
      try {
        await writeFile(draft, bytes, { flag: "wx", mode: 0o600, flush: true });
        await rename(draft, place);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {}); // the first error says more
        throw error;
      }
      await syncFolder(dirname(place));
    },
    remove: (name) => rm(join(path, name), { force: true }),
    async removeDrafts(folder) {
      for (const name of (await orWhereNone(readdir(join(path, folder)), [])).filter((found) => DRAFT.test(found)))
        if (await isOldDraft(join(path, folder, name))) await rm(join(path, folder, name), { force: true });
    },
    async removeBackup(name) {
      const going = join(path, `${name}.partial-${randomUUID()}`); // a name that the next backup removes where this is interrupted
      await answered(path, () => orWhereNone(rename(join(path, name), going), undefined)); // two may remove it at once
      await removeTree(going);
    },
  };
}

/** Whether a draft is so old that nothing writes it any more. */
async function isOldDraft(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // gone meanwhile
  return found !== undefined && Date.now() - found.mtimeMs > DRAFT_AGE_MS;
}

/**
 * Removes a file, or a folder with what is in it, one after the other: `rm` begins many calls at once, and on a share that is away each keeps a thread. There
 * is no limit for all of it, because a large backup has many files; each call has one.
 * @throws BackupError where the folder does not answer
 */
export async function removeTree(path: string, limits: CallLimits = {}): Promise<void> {
  const held = <T>(begin: () => Promise<T>, none: T) =>
    answered(path, () => orWhereNone(begin(), none), { folder: dirname(path), ...limits });
  async function remove(found: string, isFolder: boolean): Promise<void> {
    if (!isFolder) return held(() => unlink(found), undefined);
    for (const entry of await held(() => readdir(found, { withFileTypes: true }), []))
      await remove(join(found, entry.name), entry.isDirectory());
    await held(() => rmdir(found), undefined);
  }
  const found = await held<Stats | null>(() => lstat(path), null);
  if (found !== null) await remove(path, found.isDirectory());
}

/** Returns what is read of a file or folder, or `none` where it does not exist. */
export async function orWhereNone<T>(reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code))) return none;
    throw error;
  }
}

/** Makes new names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
