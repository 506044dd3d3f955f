import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { SecretBoxError } from "./secret-box.ts";

/**
 * The key that encrypts secrets at rest (program.md 8): POINTKEEPER_SECRET_KEY, else the file `secret.key` of the data folder,
 * made there on the first start. Of several processes that make it at once, one wins and all read the same.
 */
export async function readSecretKey(config: Pick<Config, "secretKey" | "dataDir">): Promise<string> {
  if (config.secretKey !== undefined) return config.secretKey;
  const path = join(config.dataDir, "secret.key");
  const kept = await readKeyFile(path);
  if (kept !== null) return kept;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await makeKeyFile(path);
  const made = await readKeyFile(path);
  if (made === null) throw new SecretBoxError(`The key file ${path} could not be made.`);
  return made;
}

async function readKeyFile(path: string): Promise<string | null> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const key = text.trim();
  if (key.length < 32)
    throw new SecretBoxError(`The key file ${path} is damaged: it holds no key. Restore it from a backup.`);
  return key;
}

/** Written whole beside its place, then linked: nobody ever reads half a key, and a second maker's link fails. */
async function makeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString("base64url")}\n`);
    await file.sync();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await file.close();
    await unlink(draft);
  }
}
