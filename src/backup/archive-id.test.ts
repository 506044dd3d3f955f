import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answered } from "./answered.ts";
import { ensureArchiveId, readArchiveId } from "./archive-id.ts";
import { openBackupPlace } from "./backup-place.ts";

/** An archive whose id cannot be read for a reason. */
const unreadable = (code: string) => ({ read: () => Promise.reject(Object.assign(new Error(code), { code })) });

test("an id that only its former user may read is none, so that the newest segment decides", async () => {
  for (const code of ["EACCES", "EPERM"]) expect(await readArchiveId(unreadable(code))).toBeNull();
  await expect(readArchiveId(unreadable("EIO"))).rejects.toThrow("EIO");
});

const ID = "0d1f3c9e-7a3b-4f51-9c65-2f1a8e1b7c44";
const ORDINARY_ID = 64_321;

test("an id that another user left in a folder where nobody may replace it does not keep the log from being archived", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-archive-"));
  const place = join(folder, "log");
  try {
    chmodSync(folder, 0o755);
    mkdirSync(place);
    chmodSync(place, 0o1777);
    writeFileSync(join(place, "archive-id"), `${ID}\n`, { mode: 0o600 });
    if (process.getuid?.() === 0) process.seteuid?.(ORDINARY_ID);
    else chmodSync(join(place, "archive-id"), 0o000);
    const found = await ensureArchiveId(openBackupPlace(place, null), null).finally(() => {
      if (process.getuid?.() === 0) process.seteuid?.(0);
    });
    if (process.getuid?.() === 0) expect(found).toBeNull();
    expect(readdirSync(place)).toEqual(["archive-id"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an id can be read by whichever user the service runs as later", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-archive-"));
  try {
    const id = await ensureArchiveId(openBackupPlace(folder, null), null);
    expect(readFileSync(join(folder, "archive-id"), "utf8").trim()).toBe(id);
    expect(statSync(join(folder, "archive-id")).mode & 0o444 & ~process.umask()).toBe(0o444 & ~process.umask());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("nothing is asked of an archive in which a call has not returned", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pointkeeper-archive-"));
  const { promise, resolve } = Promise.withResolvers<void>();
  const says = "has not answered for 0.02 seconds";
  try {
    await expect(answered(folder, () => promise, { waitMs: 20 })).rejects.toThrow(says);
    for (const text of [ID, ""]) {
      const archive = { path: join(folder, "log"), read: async () => Buffer.from(text) };
      await expect(ensureArchiveId(archive, null)).rejects.toThrow(says);
    }
    expect(readdirSync(folder)).toEqual([]);
    resolve();
    await promise;
    expect(await ensureArchiveId(openBackupPlace(join(folder, "log"), null), ID)).toBe(ID);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
