import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logDiskRoom } from "../../../src/alerts/log-disk-room.ts";
import { readBackupRoom } from "../../../src/alerts/read-backup-room.ts";
import { readDiskRoom } from "../../../src/alerts/read-disk-room.ts";
import { watchAlerts } from "../../../src/alerts/watch-alerts.ts";
import { ALERT_KINDS } from "../../../src/wire/alerts.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder } from "../../support/service-process.ts";
import { mountSmallDisk, type SmallDisk } from "../../support/small-disk.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";

let folder: Awaited<ReturnType<typeof makeFolder>>;
let disk: SmallDisk;
let service: TestService;
let owner: AdminClient;
const lines: string[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  disk = await mountSmallDisk(join(folder.path, "disk"), "size=128m");
  await writeFile(join(disk.path, "taken"), Buffer.alloc(64 * 2 ** 20));
  const config = { dataDir: disk.path };
  service = await startTestService({ worker: false, config, logLevel: "warn", log: (line) => lines.push(line) });
  owner = await signIn(service, "owner");
});
afterAll(async () => {
  await service?.stop();
  disk?.unmount();
  await folder?.remove();
});

const settings = (kinds: readonly string[]) => ({
  ...{ is_on: true, kinds, addresses: ["ops@store.example"], language: "en", grant_percent: 50 },
});
const onHome = async () => (await owner.get("/home")).body.data.health.disk;
/** After one run of the job: each alert's kind, text and whether it is open, oldest first. */
async function alerts(): Promise<string[]> {
  await watchAlerts(service.deps);
  const { body } = await owner.get("/alerts");
  const shown = body.data.alerts.map(
    ({ kind, text, ended_at }: { kind: string; text: { en: string }; ended_at: string | null }) =>
      `${ended_at === null ? "open" : "over"} ${kind} ${text.en.replace("The disk of the database ", "")}`,
  );
  return shown.toReversed();
}

test("Home, the alerts and the log say that the disk of the embedded database gets full, and that it is over with clearly more room", async () => {
  expect((await owner.put("/alerts", settings(ALERT_KINDS))).status).toBe(200);
  expect([await alerts(), await onHome()]).toEqual([[], null]);
  await logDiskRoom(service.deps);
  expect(lines).toEqual([]);

  await disk.remount("size=76m");
  const low = "disk_low has little room. GiB free: 0.";
  expect(await alerts()).toEqual([`open ${low}`]);
  expect(await onHome()).toMatchObject({ state: "low", free_bytes: 12 * 2 ** 20 });
  await logDiskRoom(service.deps);
  expect(lines.join()).toContain("the disk of the database has little room");

  await disk.remount("size=68m");
  const full = "disk_low is nearly full; once it is full, every change is refused. GiB free: 0.";
  expect(await alerts()).toEqual([`open ${low}`, `open ${full}`]);
  expect(await onHome()).toMatchObject({ state: "full" });

  await disk.remount("size=85m"); // a fifth of it is 17 MB, and 21 are free: with a little more room it is not over
  expect(await alerts()).toEqual([`open ${low}`, `over ${full}`]);
  expect(await onHome()).toMatchObject({ state: "low" });

  await disk.remount("size=96m");
  expect(await alerts()).toEqual([`over ${low}`, `over ${full}`]);
  expect(await onHome()).toBeNull();
  await disk.remount("size=85m");
  expect([(await alerts()).length, await onHome()]).toEqual([2, null]);
});

test("the alerts of a store of before this kind have it, can be without it, and its rows have a kind that older versions know", async () => {
  const { db } = service.deps;
  const rows = () => db.query("select kind, subject from alert where ended_at is null");
  const older = ALERT_KINDS.filter((kind) => kind !== "disk_low");
  await db.execute("update alert_setting set kinds = $1", [older]);
  expect((await owner.get("/alerts")).body.data.kinds).toEqual(ALERT_KINDS);

  await disk.remount("size=76m");
  await alerts();
  expect(await rows()).toEqual([{ kind: "backup_old", subject: "disk_low/low" }]);
  expect((await owner.put("/alerts", settings(older))).body.data.kinds).toEqual(older);
  await alerts();
  expect(await rows()).toEqual([]);
  expect(await onHome()).toMatchObject({ state: "low" });
  expect((await owner.put("/alerts", settings(ALERT_KINDS))).body.data.kinds).toEqual(ALERT_KINDS);
});

test("the alerts and the log name the disk of the backups that has no room for the next one, until it has clearly more", async () => {
  const dir = join(disk.path, "backups");
  const newest = join(dir, "pointkeeper-20260301T000000Z");
  await mkdir(newest, { recursive: true });
  const { config, db, random } = service.deps;
  const deps = { ...service.deps, config: { ...config, dataDir: "/nonexistent", backup: { ...config.backup, dir } } };
  await db.execute(
    `insert into backup_run (uid, cause, kind, place, started_at, ended_at, byte_count)
     values ($1, 'schedule', 'logical', $2, clock_timestamp(), clock_timestamp(), $3)`,
    [random.uid(), newest, 20n * 2n ** 20n],
  );
  const open = async () => {
    await watchAlerts(deps);
    const { body } = await owner.get("/alerts");
    const shown: { text: { en: string }; ended_at: string | null }[] = body.data.alerts;
    return shown.filter(({ ended_at: endedAt }) => endedAt === null).map(({ text }) => text.en);
  };
  await disk.remount("size=90m"); // 26 MB are free
  expect(await open()).toEqual([]);
  await disk.remount("size=76m");
  const says = `The disk of the backups and the archived log may have no room for the next backup. GiB free (${dir}): 0.`;
  expect(await open()).toEqual([says]);
  lines.length = 0;
  await logDiskRoom(deps);
  expect(lines.join()).toContain("the disk of the backups and the archived log may have no room for the next backup");
  expect(lines.join()).toContain(dir);
  await disk.remount("size=85m"); // 21 MB
  expect(await open()).toEqual([says]);
  await disk.remount("size=90m");
  expect(await open()).toEqual([]);
  await disk.remount("size=76m");
});

test("the disk of the backups is not judged while one is being made, nor while it gives no figures: its alert stays as it was", async () => {
  const dir = join(disk.path, "backups");
  const { config, db, random } = service.deps;
  const deps = { ...service.deps, config: { ...config, dataDir: "/nonexistent", backup: { ...config.backup, dir } } };
  const away = { ...deps, config: { ...deps.config, backup: { ...config.backup, dir: join(disk.path, "away") } } };
  const isOpen = async (by = deps) => {
    await watchAlerts(by);
    const { body } = await owner.get("/alerts");
    return body.data.alerts.some(
      ({ ended_at: endedAt, text }: { ended_at: string | null; text: { en: string } }) =>
        endedAt === null && text.en.includes("the backups"),
    );
  };
  const begin = (uid: string, bytes: bigint | null, cause = "schedule") =>
    db.execute(
      `insert into backup_run (uid, cause, kind, place, started_at, ended_at, byte_count)
       values ($1, $3, 'logical', 'x', clock_timestamp(), case when $2::bigint is not null then clock_timestamp() end, $2)`,
      [uid, bytes, cause],
    );
  const end = (uid: string) =>
    db.execute("update backup_run set ended_at = clock_timestamp(), byte_count = 20971520 where uid = $1", [uid]);
  const [first, second] = [random.uid(), random.uid()];
  expect(await isOpen(away)).toBe(false);
  await begin(first, null);
  expect(await isOpen()).toBe(false); // 12 MB are free beside the draft
  await end(first);
  await service.owner.execute(
    "insert into job (name, lease_until) values ('back up', clock_timestamp() + interval '1 minute')",
  );
  expect(await isOpen()).toBe(false); // the oldest one is being removed
  await service.owner.execute("delete from job where name = 'back up'");
  await begin(random.uid(), 1n, "command"); // a small one by hand says nothing about the next scheduled one
  expect(await isOpen()).toBe(true);
  expect(await isOpen(away)).toBe(true);
  await disk.remount("size=120m");
  await begin(second, null);
  expect(await isOpen()).toBe(true);
  await end(second);
  expect(await isOpen()).toBe(false);
  const zeros = async () => ({ freeBytes: 0, sizeBytes: 0, freeFiles: null });
  expect(await readBackupRoom(deps, zeros)).toBe("unknown");
  await disk.remount("size=76m");
});

test("an external database and a folder that is not there have no disk to measure; files are counted where their number is fixed", async () => {
  const { config } = service.deps;
  expect(await readDiskRoom({ config: { ...config, databaseUrl: "postgresql://elsewhere" } })).toBeNull();
  expect(await readDiskRoom({ config: { ...config, dataDir: join(disk.path, "away") } })).toBeNull();
  const figures = { bavail: 3, bsize: 10, blocks: 7 };
  const read = (files: number) => readDiskRoom({ config }, async () => ({ ...figures, files, ffree: 5 }));
  expect(await read(9)).toEqual({ freeBytes: 30, sizeBytes: 70, freeFiles: 5 });
  expect(await read(0)).toEqual({ freeBytes: 30, sizeBytes: 70, freeFiles: null });
  await mkdir(join(disk.path, "pg"), { recursive: true });
  expect(await readDiskRoom({ config })).toMatchObject({ sizeBytes: 76 * 2 ** 20 });
});
