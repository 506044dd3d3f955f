import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readArchivedMark } from "../../../src/backup/archived-mark.ts";
import { shipSpool } from "../../../src/backup/ship-spool.ts";
import { MACHINE_CHECKS } from "../../../src/commands/doctor/machine-checks.ts";
import { readConfig, reportSettings } from "../../../src/config.ts";
import { makeFolder } from "../../support/service-process.ts";
import { makeStopped, SEGMENTS, SYSTEM_ID, segmentOf } from "../../support/waiting-log.ts";

// The folder into which log is archived, and the one that is at its place while its disk is not mounted.

let folder: Awaited<ReturnType<typeof makeFolder>>;
let dataDir: string;
let logDir: string;

beforeEach(async () => {
  folder = await makeFolder();
  dataDir = join(folder.path, "store");
  logDir = join(folder.path, "backups/log", String(SYSTEM_ID));
  await makeStopped(dataDir);
});
afterEach(() => folder.remove());

const env = () => ({
  POINTKEEPER_DATA_DIR: dataDir,
  POINTKEEPER_BACKUP_DIR: join(folder.path, "backups"),
  POINTKEEPER_BACKUP_LOG: "1",
});
const ship = () => shipSpool(readConfig(env()));
const archived = async () => (await readdir(logDir)).filter((name) => name !== "archive-id");
const wait = (segment: string) => writeFile(join(dataDir, "log-spool", segment), segmentOf(segment));

/** Puts the folder of the backups elsewhere and another one at its place. */
async function swapDisk(other: string): Promise<void> {
  const [dir, aside] = [join(folder.path, "backups"), join(folder.path, "aside")];
  await rename(dir, aside);
  await rename(other, dir);
  await rename(aside, other);
}

test("a mount point with log of an earlier time is not taken for the archive, until somebody says that it is", async () => {
  const disk = join(folder.path, "disk");
  await ship(); // without the disk, by an earlier version
  await rm(join(logDir, "archive-id"), { force: true });
  await rm(join(dataDir, "log-archived.json"));
  await mkdir(disk);
  await swapDisk(disk);
  await wait("000000010000000000000004");
  expect(await ship()).toBe(1);
  await swapDisk(disk); // not mounted
  await wait("000000010000000000000005");
  const says = `${logDir} is not the folder into which the log of the database was archived`;
  await expect(ship()).rejects.toThrow(says);
  expect([(await archived()).length, await readdir(join(dataDir, "log-spool"))]).toEqual([
    2,
    ["000000010000000000000005"],
  ]);
  const check = MACHINE_CHECKS.find(({ name }) => name === "backup place");
  const found = await check?.run(reportSettings(env()));
  expect(found).toMatchObject({ state: "fail", says: expect.stringContaining(says) });
  await rm(/from now on, remove (.+)\.$/.exec(found?.says ?? "")?.[1] ?? "");
  expect(await ship()).toBe(1);
  await swapDisk(disk);
  await wait("000000010000000000000006");
  await expect(ship()).rejects.toThrow(says); // now it is the other one
});

test("an archive is continued that lost its last write or its id, was pruned, or was begun by an earlier version", async () => {
  const pathOf = async (segment = "") =>
    join(logDir, (await archived()).find((name) => name.startsWith(segment)) ?? "");
  await ship();
  const id = await readFile(join(logDir, "archive-id"), "utf8");
  const goesOn = async (segment: string) => {
    await wait(segment);
    expect(await ship()).toBe(1);
    expect(await readFile(join(logDir, "archive-id"), "utf8")).toBe(id);
  };
  await rm(await pathOf(SEGMENTS[1])); // a share that lost its last write, or an archive that was copied before it
  await goesOn("000000010000000000000004");
  await rm(join(logDir, "archive-id")); // by somebody who removes old files
  await goesOn("000000010000000000000005");
  for (const name of await archived()) await rm(join(logDir, name)); // pruned
  await goesOn("000000010000000000000006");
  const { archive: _, ...earlier } = { archive: "", ...(await readArchivedMark(dataDir)) };
  const text = { segment: earlier.segment, closed_at: String(earlier.closedAt), dir: earlier.dir };
  await writeFile(join(dataDir, "log-archived.json"), JSON.stringify(text));
  for (const name of await archived()) await rm(join(logDir, name));
  await goesOn("000000010000000000000007");
  expect((await readArchivedMark(dataDir))?.archive).toBe(id.trim());
});

test("the id of an archive in use is a new file for somebody who removes old ones", async () => {
  await ship();
  const path = join(logDir, "archive-id");
  await utimes(path, new Date(0), new Date(0));
  await wait("000000010000000000000004");
  const beforeMs = Date.now();
  expect(await ship()).toBe(1);
  expect((await stat(path)).mtimeMs).toBeGreaterThan(beforeMs - 1_000);
});

test("a disk that is unmounted while log is archived keeps what is written since then in the spool", async () => {
  const disk = join(folder.path, "disk");
  await ship(); // an earlier time, without the disk
  await rm(join(logDir, "archive-id"));
  await rm(join(dataDir, "log-archived.json"));
  await mkdir(disk);
  await swapDisk(disk);
  const later = ["000000010000000000000004", "000000010000000000000005", "000000010000000000000006"];
  for (const segment of later) await wait(segment);
  let segments = 0;
  const unmountAfterOne = async () => {
    if (segments++ === 1) await swapDisk(disk);
    return false;
  };
  const says = `${logDir} is not the folder`;
  await expect(shipSpool(readConfig(env()), unmountAfterOne)).rejects.toThrow(`${says} any more`);
  expect(await readdir(join(dataDir, "log-spool"))).toEqual(later.slice(1));
  await expect(ship()).rejects.toThrow(`${says} into which`);
  await swapDisk(disk);
  expect(await ship()).toBe(2);
  expect((await archived()).map((name) => name.slice(0, 24)).sort()).toEqual(later);
});
