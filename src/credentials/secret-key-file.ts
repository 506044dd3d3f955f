import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { link, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { SecretBoxError, type SecretKeys } from "./secret-box.ts";

type KeyConfig = Pick<Config, "secretKey" | "secretKeyPrevious" | "dataDir">;

const KEY_LENGTH_MIN = 32;

/** Returns the path of the data folder's key file, which has one key per line: the current one, then the previous one while the key is changed. */
export function secretKeyPath(dataDir: string): string {
  return join(dataDir, "secret.key");
}

/**
 * Returns the keys that encrypt secrets at rest (program.md 8): POINTKEEPER_SECRET_KEY and POINTKEEPER_SECRET_KEY_PREVIOUS, or else those of the file
 * `secret.key`, which are read again when it changes; null if there is neither. Creates nothing.
 * @throws SecretBoxError for a file that holds no key
 */
export async function readSecretKeys(config: KeyConfig): Promise<SecretKeys | null> {
  const { secretKey, secretKeyPrevious, dataDir } = config;
  if (secretKey !== undefined)
    return { current: secretKey, previous: secretKeyPrevious === undefined ? [] : [secretKeyPrevious] };
  const path = secretKeyPath(dataDir);
  let stamp = stampOf(path);
  const keys = stamp === null ? null : readKeyFile(path);
  if (keys === null) return null;
  const reload = () => {
    const now = stampOf(path);
    if (now === null || now === stamp) return null; // a key that was removed from the file is still used here
    stamp = now;
    return readKeyFile(path);
  };
  return { ...keys, reload };
}

/** The error of a start, or of a command that needs the key, if there is none. */
export function missingKeyText(dataDir: string): string {
  return (
    `The key file ${secretKeyPath(dataDir)} is missing, and the database holds secrets that only its key opens. ` +
    'Put its copy back: no backup holds it. Where it is lost, see "pointkeeper secrets reset".'
  );
}

/** Returns a value that changes with the file's content, without reading it; null if there is no file. */
function stampOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

function readKeyFile(path: string): SecretKeys {
  const [current, ...previous] = readFileSync(path, "utf8").trim().split(/\s+/);
  if (current === undefined || [current, ...previous].some((key) => key.length < KEY_LENGTH_MIN))
    throw new SecretBoxError(
      `The key file ${path} is damaged: it holds no key. Put its copy back: no backup of the store holds it.`,
    );
  return { current, previous };
}

/** Returns a key of 256 random bits in the format of the key file. */
export function newSecretKey(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Writes the key file, the current key first, readable by its user only. It is written to a temporary file, synced and renamed, so that an incomplete
 * key is never read. `fresh` does not change an existing file: of several processes that create the first key, one succeeds.
 */
export async function writeSecretKeys(path: string, keys: readonly string[], how: "fresh" | "replace"): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${keys.join("\n")}\n`);
    await file.sync();
    if (how === "replace") {
      await rename(draft, path);
    } else {
      await link(draft, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
    }
  } finally {
    await file.close();
    await unlink(draft).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  const folder = await open(dirname(path), "r");
  await folder.sync();
  await folder.close();
}
