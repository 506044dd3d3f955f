import { watch } from "node:fs";
import { link, mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBackupPlace } from "../../../src/backup/backup-place.ts";
import { openTarget } from "../../../src/backup/backup-target.ts";
import { readArchivedFile } from "../../../src/backup/log-archive.ts";
import { NoBackupError } from "../../../src/backup/manifest.ts";
import { openBackup } from "../../../src/backup/open-backup.ts";
import { createDecoder, createEncoder, sha256Of, writeNewIdentity } from "../../../src/backup/part-coder.ts";
import { makeFolder } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

// How a backup gets its name in a folder, and what is said of one that cannot be opened by it.

let folder: Awaited<ReturnType<typeof makeFolder>>;
const place = (name: string) => join(folder.path, name);

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

test("a tar has its name although the file system says that the name is taken, by the tar itself", async () => {
  const target = await openTarget(place("b.tar"), null);
  await target.put("data/balance/000001.zst", Buffer.from("a"));
  const [draft = ""] = await readdir(folder.path);
  await link(place(draft), place("b.tar")); // as NFS does where the answer to the first request was lost
  await target.finish();
  expect(await readdir(folder.path)).toEqual(["b.tar"]);
});

test.each(["b", "b.tar"])(
  "%s that two processes with one process id write at once is that of the first to end",
  async (name) => {
    const [one, two] = [await openTarget(place(name), null), await openTarget(place(name), null)];
    for (const [target, text] of [
      [one, "one"],
      [two, "two"],
    ] as const)
      await target.put("part", Buffer.from(text));
    for (const target of [one, two]) await target.put("manifest.json", Buffer.from("{}"));
    await one.finish();
    await expect(two.finish()).rejects.toThrow("another backup was written there meanwhile");
    await two.discard();
    expect(await readdir(folder.path)).toEqual([name]);
    const kept = name === "b" ? join(place(name), "part") : place(name);
    expect(await readFile(kept, "utf8")).toContain("one");
  },
);

test("a backup that is removed is first renamed like a draft, which the next backup removes where this is interrupted", async () => {
  const name = "pointkeeper-20260101T000000Z";
  await mkdir(place(`${name}/data`), { recursive: true });
  await writeFile(place(`${name}/manifest.json`), "{}");
  const seen = new Set<string>();
  const watcher = watch(folder.path, () => {});
  watcher.on("change", (_, found) => void seen.add(String(found).replace(/partial-.+/, "draft")));
  await openBackupPlace(folder.path, null).removeBackup(name);
  await waitUntil(() => seen.has(`${name}.draft`));
  watcher.close();
  expect(await readdir(folder.path)).toEqual([]);
});

test("two who remove one backup at once both end well", async () => {
  await mkdir(place("b/data"), { recursive: true });
  const removing = openBackupPlace(folder.path, null);
  await Promise.all([removing.removeBackup("b"), removing.removeBackup("b")]);
  expect(await readdir(folder.path)).toEqual([]);
});

test("of a backup that is a link to another folder, the link is removed, and with a backup what it has at any depth", async () => {
  const elsewhere = place("elsewhere");
  await mkdir(join(elsewhere, "data"), { recursive: true });
  await writeFile(join(elsewhere, "manifest.json"), "{}");
  await symlink(elsewhere, place("linked"));
  await mkdir(place("b/data/balance/deeper"), { recursive: true });
  await writeFile(place("b/data/balance/000001.zst"), "a");
  await symlink(elsewhere, place("b/link"));
  const removing = openBackupPlace(folder.path, null);
  for (const name of ["linked", "b", "none"]) await removing.removeBackup(name);
  expect(await readdir(folder.path)).toEqual(["elsewhere"]);
  expect((await readdir(elsewhere)).sort()).toEqual(["data", "manifest.json"]);
});

test("a place that cannot be read is not called one without a backup", async () => {
  await symlink(place("b.tar"), place("b.tar")); // leads to itself
  const decoder = await createDecoder(undefined);
  const says = /b\.tar cannot be read: ELOOP.* does not mean that the backup is damaged/;
  await expect(openBackup(place("b.tar"), decoder, null)).rejects.toThrow(says);
  await writeFile(place("file"), "");
  await expect(openBackup(join(place("file"), "b"), decoder, null)).rejects.toBeInstanceOf(NoBackupError);
});

test("a file of the log that is cut off or another one is said to be damaged, and a time before it to be worth a try", async () => {
  const raw = Buffer.from("a segment");
  const stored = await createEncoder([]).encode(raw);
  const name = "000000010000000000000003";
  const file = { name, digest: sha256Of(raw).slice(0, 16), path: place(`${name}.zst`) };
  const decoder = await createDecoder(undefined);
  await writeFile(file.path, stored);
  expect(await readArchivedFile(file, decoder, null)).toEqual(raw);
  for (const damaged of [stored.subarray(0, 9), await createEncoder([]).encode(Buffer.from("another"))]) {
    await writeFile(file.path, damaged);
    await expect(readArchivedFile(file, decoder, null)).rejects.toThrow(
      `${file.path} of the archived log is damaged. Restore to a time before it`,
    );
  }
});

test("so is one of an encrypted log, and one for another key is not", async () => {
  const [recipient, other] = [await writeNewIdentity(place("key")), await writeNewIdentity(place("other"))];
  const raw = Buffer.alloc(100_000, "a segment");
  const stored = await createEncoder([recipient]).encode(raw);
  const name = "000000010000000000000003";
  const file = { name, digest: sha256Of(raw).slice(0, 16), path: place(`${name}.zst.age`) };
  const decoder = await createDecoder(place("key"));
  await writeFile(file.path, stored);
  expect(await readArchivedFile(file, decoder, null)).toEqual(raw);
  const flipped = Buffer.from(stored);
  flipped.writeUInt8(flipped.readUInt8(stored.length - 9) ^ 1, stored.length - 9);
  for (const damaged of [stored.subarray(0, -9), flipped, Buffer.alloc(4_096), Buffer.alloc(0)]) {
    await writeFile(file.path, damaged);
    await expect(readArchivedFile(file, decoder, null)).rejects.toThrow(
      `${file.path} of the archived log is damaged. Restore to a time before it`,
    );
  }
  await writeFile(file.path, await createEncoder([other]).encode(raw));
  await expect(readArchivedFile(file, decoder, null)).rejects.toThrow(
    `cannot be decrypted with the key of ${place("key")}`,
  );
});

test("a file of the log that two processes archive at once is that of one of them, whole", async () => {
  const archive = openBackupPlace(folder.path, null);
  const contents = [1, 2].map((byte) => Buffer.alloc(16 * 2 ** 20, byte)); // as ciphertexts of one segment differ
  for (let round = 0; round < 4; round++) {
    await Promise.all(contents.map((bytes) => archive.write("log/a.zst.age", bytes)));
    const found = await readFile(place("log/a.zst.age"));
    expect(contents.some((bytes) => bytes.equals(found))).toBe(true);
  }
  expect(await readdir(place("log"))).toEqual(["a.zst.age"]);
});

test("a write that fails leaves nothing, and drafts of killed ones go once they are old", async () => {
  const archive = openBackupPlace(folder.path, null);
  await mkdir(place("log/a.zst/in-the-way"), { recursive: true });
  await expect(archive.write("log/a.zst", Buffer.from("a"))).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(await readdir(place("log"))).toEqual(["a.zst"]);
  const drafts = [".b.zst.partial", ".b.zst.partial-1c9f", ".c.zst.partial-2d0a"];
  for (const name of drafts) await writeFile(place(`log/${name}`), "");
  for (const name of drafts.slice(0, 2)) await utimes(place(`log/${name}`), 0, 0);
  await archive.removeDrafts("log");
  expect((await readdir(place("log"))).sort()).toEqual([drafts[2], "a.zst"]);
});
