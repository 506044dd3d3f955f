import { link, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTarget } from "../../src/backup/backup-target.ts";
import { NoBackupError } from "../../src/backup/manifest.ts";
import { openBackup } from "../../src/backup/open-backup.ts";
import { createDecoder } from "../../src/backup/part-coder.ts";
import { makeFolder } from "../support/service-process.ts";

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
  await link(`${place("b.tar")}.partial-${process.pid}`, place("b.tar")); // as NFS does where the answer to the first request was lost
  await target.finish();
  expect(await readdir(folder.path)).toEqual(["b.tar"]);
});

test("a draft that is another name of a complete backup is not written over", async () => {
  await writeFile(place("moved.tar"), "complete");
  await link(place("moved.tar"), `${place("b.tar")}.partial-${process.pid}`); // its process was killed before it removed the draft
  const target = await openTarget(place("b.tar"), null);
  await target.put("data/balance/000001.zst", Buffer.from("a"));
  await target.finish();
  expect(await readFile(place("moved.tar"), "utf8")).toBe("complete");
});

test("a place that cannot be read is not called one without a backup", async () => {
  await symlink(place("b.tar"), place("b.tar")); // leads to itself
  const decoder = await createDecoder(undefined);
  const says = /b\.tar cannot be read: ELOOP.* does not mean that the backup is damaged/;
  await expect(openBackup(place("b.tar"), decoder, null)).rejects.toThrow(says);
  await writeFile(place("file"), "");
  await expect(openBackup(join(place("file"), "b"), decoder, null)).rejects.toBeInstanceOf(NoBackupError);
});
