import type { StatsFs } from "node:fs";
import { mkdir, readdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readArchivedMark } from "../../../src/backup/archived-mark.ts";
import { fillDataFolder } from "../../../src/backup/fill-data-folder.ts";
import { pruneBackups } from "../../../src/backup/prune-backups.ts";
import { readFileSystem } from "../../../src/backup/read-file-system.ts";
import { readMissingArchive } from "../../../src/backup/read-missing-archive.ts";
import { shipBeforeStart } from "../../../src/backup/ship-before-start.ts";
import { shipSpool } from "../../../src/backup/ship-spool.ts";
import { MACHINE_CHECKS } from "../../../src/commands/doctor/machine-checks.ts";
import { readConfig, reportSettings } from "../../../src/config.ts";
import { readSystemId } from "../../../src/db/embedded/read-system-id.ts";
import { startEmbeddedServer } from "../../../src/db/embedded/start-embedded-server.ts";
import { openPool } from "../../../src/db/pool.ts";
import { withClient } from "../../../src/db/with-client.ts";
import { createLog } from "../../../src/log.ts";
import { makeFolder } from "../../support/service-process.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { makeStopped, SEGMENTS, SYSTEM_ID, segmentOf } from "../../support/waiting-log.ts";

const log = createLog({ level: "silent", pretty: false, write: () => {} });

let folder: Awaited<ReturnType<typeof makeFolder>>;

beforeEach(async () => {
  folder = await makeFolder();
});

afterEach(() => folder.remove());

const envOf = (dataDir: string) => ({
  POINTKEEPER_DATA_DIR: dataDir,
  POINTKEEPER_BACKUP_DIR: join(folder.path, "backups"),
  POINTKEEPER_BACKUP_LOG: "1",
});
const configOf = (dataDir: string) => readConfig(envOf(dataDir));

const archived = async (systemId = SYSTEM_ID) =>
  (await readdir(join(folder.path, `backups/log/${systemId}`))).filter((name) => name !== "archive-id");

test("log that waits is archived while no server runs, and leaves a disk without room for the mark", async () => {
  const dataDir = join(folder.path, "store");
  await makeStopped(dataDir);
  await mkdir(join(dataDir, "log-archived.json")); // what is there cannot be written, as on a full disk
  await expect(shipSpool(configOf(dataDir))).rejects.toThrow("EISDIR");
  expect(await readdir(join(dataDir, "log-spool"))).toEqual(SEGMENTS.slice(1));
  await expect(shipSpool(configOf(dataDir))).rejects.toThrow("EISDIR");
  expect(await readdir(join(dataDir, "log-spool"))).toEqual([]);
  expect(await archived()).toEqual(SEGMENTS.map((name) => expect.stringMatching(`^${name}\\.[0-9a-f]{16}\\.zst$`)));
});

test("two processes that archive the same log at once both end well, and it is archived once", async () => {
  const dataDir = join(folder.path, "store");
  await makeStopped(dataDir);
  const names = Array.from({ length: 40 }, (_, n) => `0000000100000000000000${(n + 16).toString(16).toUpperCase()}`);
  for (const name of names) await writeFile(join(dataDir, "log-spool", name), segmentOf(name));
  await Promise.all([shipSpool(configOf(dataDir)), shipSpool(configOf(dataDir)), shipSpool(configOf(dataDir))]);
  expect(await readdir(join(dataDir, "log-spool"))).toEqual([]);
  expect((await archived()).map((name) => name.slice(0, 24)).sort()).toEqual([...SEGMENTS, ...names]);
  expect((await readdir(dataDir)).sort()).toEqual(["log-archived.json", "log-spool", "pg"]);
});

test("a start on a disk with little room archives the log that waits first; one with room leaves it to the worker", async () => {
  const disk = await mountSmallDisk(join(folder.path, "disk"));
  try {
    const full = join(disk.path, "store");
    await makeStopped(full);
    await shipBeforeStart({ config: configOf(full), log });
    expect([await readdir(join(full, "log-spool")), (await archived()).length]).toEqual([[], 2]);
  } finally {
    disk.unmount();
  }
  const roomy = join(folder.path, "store");
  await makeStopped(roomy);
  await shipBeforeStart({ config: configOf(roomy), log });
  expect(await readdir(join(roomy, "log-spool"))).toEqual(SEGMENTS);
});

test("a start archives only until its disk has room: the worker does the rest while the store is served", async () => {
  const disk = await mountSmallDisk(join(folder.path, "disk"), "size=140m");
  try {
    const dataDir = join(disk.path, "store");
    await makeStopped(dataDir);
    for (const name of SEGMENTS)
      await writeFile(join(dataDir, "log-spool", name), segmentOf(name, SYSTEM_ID, 8 * 2 ** 20));
    await shipBeforeStart({ config: configOf(dataDir), log });
    expect([await readdir(join(dataDir, "log-spool")), (await archived()).length]).toEqual([SEGMENTS.slice(1), 1]);
  } finally {
    disk.unmount();
  }
});

test("log that waited when the folder got another database goes to the archive of its own", async () => {
  const dataDir = join(folder.path, "store");
  await makeStopped(dataDir);
  const former = "000000010000000000000150";
  await writeFile(join(dataDir, "log-spool", former), segmentOf("former", 42n));
  expect(await shipSpool(configOf(dataDir))).toBe(3);
  const nameOf = (file: string) => file.slice(0, 24);
  expect([(await archived()).map(nameOf), (await archived(42n)).map(nameOf)]).toEqual([SEGMENTS, [former]]);
  expect(await readArchivedMark(dataDir)).toMatchObject({ segment: SEGMENTS[1] });
  expect(await readdir(join(dataDir, "log-spool"))).toEqual([]);
});

test("an archive that is away, as on a disk that is not mounted, is not begun anew, and is used again when it is back", async () => {
  const dataDir = join(folder.path, "store");
  await makeStopped(dataDir);
  await shipSpool(configOf(dataDir));
  const [dir, away] = [join(folder.path, "backups"), join(folder.path, "away")];
  await rename(dir, away);
  await mkdir(dir); // the mount point
  const later = "000000010000000000000004";
  await writeFile(join(dataDir, "log-spool", later), segmentOf(later));
  const says = `${dir}/log/${SYSTEM_ID}, into which the log of the database was archived, is not there`;
  await expect(shipSpool(configOf(dataDir))).rejects.toThrow(says);
  expect([await readdir(dir), await readdir(join(dataDir, "log-spool"))]).toEqual([[], [later]]);
  const check = MACHINE_CHECKS.find(({ name }) => name === "backup place");
  const report = reportSettings(envOf(dataDir));
  expect(await check?.run(report)).toMatchObject({ state: "fail", says: expect.stringContaining(says) });
  await rm(dir, { recursive: true });
  await rename(away, dir);
  expect(await shipSpool(configOf(dataDir))).toBe(1);
  expect((await archived()).map((name) => name.slice(0, 24))).toEqual([...SEGMENTS, later]);
});

test("a share that does not answer takes one thread, whoever waits for it, and is used once it answers", async () => {
  const dataDir = join(folder.path, "store");
  await makeStopped(dataDir);
  const config = configOf(dataDir);
  const dir = config.backup.dir ?? "";
  const share = Promise.withResolvers<StatsFs>();
  let calls = 0;
  const hang = () => {
    calls += 1;
    return share.promise;
  };
  expect(await readFileSystem(dir, 1, hang)).toBe("silent");
  expect(await readFileSystem(dir, 1, hang)).toBe("silent");
  const says = `${dir} does not answer`;
  const place = MACHINE_CHECKS.find(({ name }) => name === "checkpoint place");
  const db = openPool({ connection: { host: "127.0.0.1", port: 1, user: "nobody", database: "none" } }); // not read before the share
  await Promise.all([
    expect(shipSpool(config)).rejects.toThrow(says),
    expect(pruneBackups({ db, config, log })).rejects.toThrow(says),
    expect(readMissingArchive({ ...config, backup: { ...config.backup, isLogArchived: false } })).resolves.toContain(
      says,
    ),
    expect(place?.run(reportSettings({ POINTKEEPER_CHECKPOINT_DIR: dir }))).resolves.toMatchObject({
      state: "fail",
      says: expect.stringContaining(says),
    }),
  ]);
  expect([calls, await readdir(join(dataDir, "log-spool"))]).toEqual([1, SEGMENTS]);
  share.resolve(await statfs(folder.path));
  await waitUntil(async () => (await readFileSystem(dir, 1_000)) === "unreadable"); // there is no backup yet
  expect(await shipSpool(config)).toBe(2);
});

test("a file that is no segment, and a control file that is cut off, are named with what to do", async () => {
  const dataDir = join(folder.path, "store");
  await makeStopped(dataDir);
  await writeFile(join(dataDir, "log-spool", "000000010000000000000009"), "short");
  await expect(shipSpool(configOf(dataDir))).rejects.toThrow("000000010000000000000009 is no segment of a log");
  expect(await archived()).toHaveLength(2);
  await writeFile(join(dataDir, "log-spool/000000010000000000000009"), Buffer.alloc(1_024)); // as a disk may lose it
  await expect(shipSpool(configOf(dataDir))).rejects.toThrow("or its start is damaged");
  expect([await readdir(join(dataDir, "log-spool")), await readdir(join(folder.path, "backups/log"))]).toEqual([
    ["000000010000000000000009"],
    [String(SYSTEM_ID)],
  ]);
  await writeFile(join(dataDir, "pg/global/pg_control"), "cut");
  await expect(shipSpool(configOf(dataDir))).rejects.toThrow("pg_control is damaged: it has 3 bytes");
});

test("what waited is moved aside by a restore into the folder, and how far it was archived is forgotten", async () => {
  const dataDir = join(folder.path, "store");
  await makeStopped(dataDir);
  await shipSpool(configOf(dataDir));
  await writeFile(join(dataDir, "log-spool", SEGMENTS[0] ?? ""), segmentOf("of the former"));
  await rename(join(dataDir, "pg"), join(dataDir, "pg.old"));
  await fillDataFolder({ dataDir }, async (draft) => void (await mkdir(join(draft, "pg"), { recursive: true })));
  const [aside = "", ...others] = (await readdir(dataDir)).sort();
  expect([aside, others]).toEqual([expect.stringMatching(/^log-spool\.before-\d{8}T\d{6}Z$/), ["pg", "pg.old"]]);
  expect(await readdir(join(dataDir, aside))).toEqual(SEGMENTS.slice(0, 1));
});

test("a first start on a disk with little room warns of no log that waits", async () => {
  const disk = await mountSmallDisk(join(folder.path, "disk"));
  const lines: string[] = [];
  try {
    const warning = createLog({ level: "warn", pretty: false, write: (line) => void lines.push(line) });
    await shipBeforeStart({ config: configOf(disk.path), log: warning });
    expect(lines).toEqual([]);
  } finally {
    disk.unmount();
  }
});

test("a server that died starts again although its spool was removed, and archives into a new one", async () => {
  const dataDir = join(folder.path, "store");
  const server = await startEmbeddedServer({ dataDir, archiveSeconds: 3_600 });
  try {
    const first = server.pid() ?? 0;
    await rm(join(dataDir, "log-spool"), { recursive: true });
    process.kill(first, "SIGKILL");
    await waitUntil(() => ![undefined, first].includes(server.pid()));
    await withClient(server.connection, async (client) => {
      await client.query("create table t ()");
      await client.query("select pg_switch_wal()");
    });
    await waitUntil(async () => (await readdir(join(dataDir, "log-spool"))).length > 0);
  } finally {
    await server.stop();
  }
});

test("a server removes what one that was killed had half copied into the spool, and its files name its system", async () => {
  const dataDir = join(folder.path, "store");
  await mkdir(join(dataDir, "log-spool"), { recursive: true });
  await writeFile(join(dataDir, "log-spool", `archtemp.${SEGMENTS[0]}.7753.1795944181249`), "half");
  const server = await startEmbeddedServer({ dataDir, archiveSeconds: 3_600 });
  try {
    expect(await readdir(join(dataDir, "log-spool"))).toEqual([]);
    const select = "select system_identifier::text as id from pg_control_system()";
    const { rows } = await withClient(server.connection, (client) => client.query<{ id: string }>(select));
    expect(rows).toEqual([{ id: await readSystemId(dataDir) }]);
  } finally {
    await server.stop();
  }
});
