import { randomBytes } from "node:crypto";
import { link, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** A key of 256 random bits, as the key file holds it. */
export function newSecretKey(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Writes the file of the secret keys, the current one first, readable by its user alone. Written whole beside its place and synced:
 * nobody ever reads half a key. `fresh` leaves a file that is there already as it is: of several that make the first key one wins.
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
