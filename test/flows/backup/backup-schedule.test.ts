import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBackupRoom } from "../../../src/alerts/read-backup-room.ts";
import { writeArchivedMark } from "../../../src/backup/archived-mark.ts";
import { backUpScheduled } from "../../../src/backup/back-up-scheduled.ts";
import { chooseBackup, readScheduled, scheduledName } from "../../../src/backup/choose-backup.ts";
import { logDirOf } from "../../../src/backup/log-archive.ts";
import { nextBackupAt } from "../../../src/backup/next-backup-at.ts";
import { readBackupState } from "../../../src/backup/read-backup-state.ts";
import { MACHINE_CHECKS } from "../../../src/commands/doctor/machine-checks.ts";
import { STORE_CHECKS } from "../../../src/commands/doctor/store-checks.ts";
import { type Config, readConfig, reportSettings } from "../../../src/config.ts";
import { readSystemId } from "../../../src/db/embedded/read-system-id.ts";
import { ConfigError } from "../../../src/environment.ts";
import { STORE_COLLECTORS } from "../../../src/prometheus/store-collectors.ts";
import { rewriteManifest } from "../../support/earlier-backup.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder, runCli } from "../../support/service-process.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";
import { waitUntil } from "../../support/wait-until.ts";

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: TestService;
let staff: AdminClient;
let dir: string;
const lines: string[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  dir = join(folder.path, "backups");
  const backup = { ...readConfig({}).backup, dir, keep: 2 };
  const config = { backup, databaseUrl: "postgresql://of-the-tests" };
  service = await startTestService({ worker: false, config, logLevel: "warn", log: (line) => lines.push(line) });
  staff = await signIn(service, "owner");
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

const never = new AbortController().signal;
const run = (backup: Partial<Config["backup"]> = {}) => {
  const { config } = service.deps;
  return backUpScheduled({ ...service.deps, config: { ...config, backup: { ...config.backup, ...backup } } }, never);
};
const home = async () => (await staff.get("/home")).body.data.health.backup;
const second = () => Temporal.Now.instant().epochMilliseconds / 1_000;

/** Each backup is named by its second. */
async function runInNextSecond(): Promise<void> {
  const last = Math.floor(second());
  await waitUntil(() => Math.floor(second()) > last);
  await run();
}

test("so many backups are kept, drafts of dead processes go, and what is not ours stays", async () => {
  expect(await home()).toEqual({ state: "well", last_at: null }); // a new store is not late yet
  for (const mark of ["4194305", "0d1f3c9e-7a3b-4f51-9c65-2f1a8e1b7c44"]) // of an earlier version, and of this one
    await mkdir(join(dir, `pointkeeper-20260101T000000Z.partial-${mark}`), { recursive: true });
  await mkdir(join(dir, "pointkeeper-20260101T000000Z")); // without a manifest: no backup, and not counted
  await writeFile(join(dir, "of-the-operator"), "");
  for (let n = 0; n < 3; n++) await runInNextSecond();
  const names = (await readdir(dir)).sort();
  expect(names).toHaveLength(4);
  expect(names).toEqual(expect.arrayContaining(["of-the-operator", "pointkeeper-20260101T000000Z"]));
  for (const name of names.slice(2))
    expect(await readFile(join(dir, name, "manifest.json"), "utf8")).toContain('"rows"');
  expect(await home()).toEqual({ state: "well", last_at: expect.stringMatching(/Z$/) });
  const state = await readBackupState(service.deps.db, service.deps.config, service.clock.now());
  expect(state).toMatchObject({ isScheduled: true, isOverdue: false, lastError: null, waitingLog: null });
  expect(state.lastDoneAgeSeconds).toBeLessThan(120);
  expect(state.lastDoneBytes).toBeGreaterThan(1_000);
});

test("a backup of another store in the same place stays, and is not taken for the newest of this one", async () => {
  const newest = (await readScheduled(dir)).complete.at(-1);
  const other = "pointkeeper-20260102T000000Z";
  await cp(newest?.path ?? "", join(dir, other), { recursive: true });
  await rewriteManifest(join(dir, other), (manifest) => ({ ...manifest, store: "of-another-store" }));
  await runInNextSecond();
  const names = (await readScheduled(dir)).complete.map(({ name }) => name);
  expect(names).toEqual([other, newest?.name, expect.any(String)]);
  await expect(chooseBackup(dir, undefined, null)).rejects.toThrow("holds backups of 2 stores");
  await rm(join(dir, other), { recursive: true });
  expect((await chooseBackup(dir, undefined, null)).path).toBe(join(dir, names.at(-1) ?? ""));
});

test("what a killed run left is removed, and what another store writes in the same place now stays", async () => {
  const draftOf = (name: string) => join(dir, `${name}.partial-0d1f3c9e-7a3b-4f51-9c65-2f1a8e1b7c44`);
  const [killed, others] = [30, 20].map((minutes) => scheduledName(Temporal.Now.instant().subtract({ minutes })));
  await service.deps.db.execute(
    `insert into backup_run (uid, cause, kind, place, started_at)
     values ($1, 'schedule', 'logical', $2, clock_timestamp() - interval '30 minutes')`,
    [service.deps.random.uid(), `/mounted/elsewhere/then/${killed}`],
  );
  for (const name of [killed, others]) await mkdir(join(draftOf(name ?? ""), "data"), { recursive: true });
  await runInNextSecond();
  const drafts = (await readdir(dir)).filter((name) => name.includes(".partial-"));
  expect(drafts.map((name) => join(dir, name))).toEqual([draftOf(others ?? "")]);
  await rm(draftOf(others ?? ""), { recursive: true });
});

test("the next backup is a period later, or at once where the place or the kind has changed", async () => {
  const doneAt = service.clock.now();
  const dueAfter = async (backup: Partial<Config["backup"]>) => {
    const { config } = service.deps;
    const deps = { ...service.deps, config: { ...config, backup: { ...config.backup, ...backup } } };
    return (await nextBackupAt(deps, doneAt))?.since(doneAt).total("hours");
  };
  expect(await dueAfter({})).toBe(24);
  expect(await dueAfter({ isLogArchived: true })).toBe(0);
  expect(await dueAfter({ dir: join(folder.path, "elsewhere") })).toBe(0);
  expect(await dueAfter({ dir: dir.slice(0, -1) })).toBe(0);
  expect(await dueAfter({ dir: undefined })).toBeUndefined();
});

test("a clock that was ahead stops no later backup, and what it made is not taken for the newest", async () => {
  const { db, config } = service.deps;
  const year = { hours: 24 * 365 };
  const doneAt = service.clock.now().add(year);
  expect(await nextBackupAt(service.deps, doneAt)).toEqual(service.clock.now());
  const ahead = join(dir, "pointkeeper-29990101T000000Z");
  await rename((await readScheduled(dir)).complete.at(-1)?.path ?? "", ahead);
  await expect(chooseBackup(dir, undefined, null)).rejects.toThrow(`${ahead} is later than this machine's clock`);
  await db.execute(
    "update backup_run set started_at = started_at + interval '1 year', ended_at = ended_at + interval '1 year'",
  );
  expect(await readBackupState(db, config, service.clock.now())).toMatchObject({ lastDoneAt: null });
  expect(await nextBackupAt(service.deps, service.clock.now())).toEqual(service.clock.now());
  for (let n = 0; n < 2; n++) await runInNextSecond();
  const { complete } = await readScheduled(dir);
  expect(complete.map(({ path }) => path)).not.toContain(ahead);
  expect(complete).toHaveLength(2);
  await service.owner.execute("delete from backup_run where started_at > clock_timestamp()");
});

test("a backup that fails, and one that is overdue, are shown on Home until one is complete", async () => {
  await expect(run({ dir: join(dir, "of-the-operator") })).rejects.toThrow("cannot be written to");
  expect(await home()).toMatchObject({ state: "failed", last_at: expect.stringMatching(/Z$/) });
  await runInNextSecond();
  expect(await home()).toMatchObject({ state: "well" });
  await service.deps.db.execute("update backup_run set started_at = started_at - interval '49 hours'");
  expect(await home()).toMatchObject({ state: "overdue" });
});

test("a damaged backup is named, keeps nothing else from being listed or pruned, and is not restored around", async () => {
  const env = { POINTKEEPER_BACKUP_DIR: dir };
  const { complete } = await readScheduled(dir);
  expect(complete).toHaveLength(2);
  const damagedPath = join(dir, "pointkeeper-29990101T000000Z");
  await mkdir(damagedPath);
  await writeFile(join(damagedPath, "manifest.json"), '{"format": 1, "kind"');
  const list = await runCli(["backup", "list", "--json"], env);
  expect([list.code, list.stderr]).toEqual([1, expect.stringContaining(`manifest.json of ${damagedPath} is damaged`)]);
  expect(JSON.parse(list.stdout).map(({ path }: { path: string }) => path)).toEqual(complete.map(({ path }) => path));
  const doctor = JSON.parse((await runCli(["doctor", "--json"], env)).stdout);
  expect(JSON.stringify(doctor)).toContain(`2 complete scheduled backups, and 1 that cannot be read`);
  await runInNextSecond();
  const after = await readScheduled(dir);
  expect([after.complete.length, after.damaged.map(({ path }) => path)]).toEqual([2, [damagedPath]]);
  expect(after.complete[0]?.name).toBe(complete[1]?.name);
  const newest = after.complete[1]?.path ?? "";
  await expect(chooseBackup(dir, undefined, null)).rejects.toThrow(`The newest complete one is ${newest}`);
  expect(await chooseBackup(newest, undefined, null)).toEqual({ path: newest, logFrom: null });
  await rm(damagedPath, { recursive: true });
  expect((await runCli(["backup", "list"], env)).code).toBe(0);
});

test("doctor warns where the next backup will find no room", async () => {
  const newest = (await readScheduled(dir)).complete.at(-1)?.path ?? "";
  const large = [{ name: "data/balance/000001.zst", bytes: 2 ** 52, sha256: "" }];
  await rewriteManifest(newest, ({ tables, ...rest }) => ({
    ...rest,
    tables: tables.map((table) => ({ ...table, parts: large })),
  }));
  const check = MACHINE_CHECKS.find(({ name }) => name === "backup place");
  const says = expect.stringContaining("less than the newest one takes");
  expect(await check?.run(reportSettings({ POINTKEEPER_BACKUP_DIR: dir }))).toMatchObject({ state: "warn", says });
});

test("the metrics say that a schedule never made a backup, and nothing of a schedule that is not there", async () => {
  const collector = STORE_COLLECTORS.find(({ name }) => name === "backup");
  const shown = async (config: Config) => {
    const samples = await collector?.collect(service.deps.db, { clock: service.deps.clock, config });
    return Object.fromEntries((samples ?? []).map(({ family, value }) => [family, value]));
  };
  const { config } = service.deps;
  await service.owner.execute("delete from backup_run");
  expect(await shown(config)).toEqual({ pointkeeper_backup_overdue: 0 });
  await service.owner.execute("update migration set applied_at = applied_at - interval '49 hours'");
  expect(await shown(config)).toEqual({ pointkeeper_backup_overdue: 1 });
  expect(await shown({ ...config, backup: readConfig({}).backup })).toEqual({});
  const archived = { ...config, dataDir: folder.path, backup: { ...config.backup, isLogArchived: true } };
  await runInNextSecond();
  expect(await shown(archived)).toMatchObject({ pointkeeper_backup_overdue: 0, pointkeeper_backup_log_behind: 1 });
});

test("without a schedule Home says nothing; of that of a worker, the last error and a day's lateness", async () => {
  const read = (now = Temporal.Now.instant()) =>
    readBackupState(service.deps.db, { ...service.deps.config, backup: readConfig({}).backup }, now);
  expect(await read()).toMatchObject({ isScheduled: false, isPlanned: false, isOverdue: false });
  const plan = (at: string) =>
    service.owner.execute(
      `insert into job_plan (name, position, timing, next_at) values ('back up', 0, 'store', ${at})
      on conflict (name) do update set next_at = excluded.next_at`,
    );
  await plan("clock_timestamp() - interval '1 hour'");
  await expect(run({ dir: join(dir, "of-the-operator") })).rejects.toThrow("cannot be written to");
  const lastError = expect.stringContaining("of-the-operator");
  expect(await read()).toMatchObject({ isScheduled: false, isPlanned: true, isOverdue: false, lastError });
  await plan("clock_timestamp() - interval '25 hours'");
  expect(await read()).toMatchObject({ isOverdue: true });
  const behind = Temporal.Now.instant().subtract({ hours: 24 * 365 }); // a sandbox's clock, by which jobs are planned
  expect(await read(behind)).toMatchObject({ isOverdue: false });
});

test.each([
  [{ POINTKEEPER_BACKUP_RECIPIENTS: "age1abcdefghijkl,AGE-SECRET-KEY-1ABC" }, "key 2 is none"],
  [{ POINTKEEPER_BACKUP_LOG: "1" }, "into POINTKEEPER_BACKUP_DIR"],
  [{ POINTKEEPER_BACKUP_EVERY_HOURS: "0" }, "must be a number from 1 to 744"],
  [{ POINTKEEPER_BACKUP_KEEP: "none" }, "must be a number from 1 to 1000"],
])("the setting %j is refused", (env, says) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(says);
  expect(() => readConfig(env)).not.toThrow("AGE-SECRET-KEY"); // a private key is not repeated
});

test("the newest complete backup is known however many runs failed since, and whatever a clock that was ahead left", async () => {
  const { db, config } = service.deps;
  await service.owner.execute("delete from backup_run");
  await runInNextSecond();
  await service.owner.execute(
    "update backup_run set started_at = started_at - interval '60 hours', ended_at = ended_at - interval '60 hours'",
  );
  const insert = async (count: number, age: string, error: string | null) =>
    service.owner.execute(
      `insert into backup_run (uid, cause, kind, place, started_at, ended_at, error)
       select gen_random_uuid(), 'schedule', 'logical', 'x', at, at, $3
       from (select clock_timestamp() - $2::interval + n * interval '1 second' as at from generate_series(1, $1) n) t`,
      [count, age, error],
    );
  await insert(300, "2 hours", "the share was away");
  await expect(run({ dir: join(dir, "of-the-operator") })).rejects.toThrow("cannot be written to");
  const state = await readBackupState(db, config, service.clock.now());
  expect(state.lastDoneAgeSeconds).toBeGreaterThan(59 * 3_600);
  expect(state.lastDoneBytes).toBeGreaterThan(1_000);
  await insert(300, "-1 year", null);
  await runInNextSecond();
  expect((await readBackupState(db, config, service.clock.now())).lastDoneAgeSeconds).toBeLessThan(60);
  expect((await nextBackupAt(service.deps, service.clock.now()))?.since(service.clock.now()).total("hours")).toBe(24);
  const [kept] = await db.query<{ n: number }>("select count(*)::integer as n from backup_run");
  expect(kept?.n).toBeLessThan(210);
  await service.owner.execute("delete from backup_run where place = 'x'");
});

test("a backup that is not begun, because its archive is away or cannot be read, is the last one and failed", async () => {
  const { config, db } = service.deps;
  const dataDir = join(folder.path, "with-log");
  await mkdir(join(dataDir, "pg/global"), { recursive: true });
  await writeFile(join(dataDir, "pg/global/pg_control"), Buffer.alloc(8, 1));
  const away = join(folder.path, "away");
  const logDir = logDirOf(away, await readSystemId(dataDir));
  const mark = { segment: "000000010000000000000002", closedAt: Temporal.Now.instant(), dir: logDir, archive: null };
  await writeArchivedMark(dataDir, mark);
  const backup = { ...config.backup, dir: away, isLogArchived: true };
  const deps = { ...service.deps, config: { ...config, dataDir, backup } };
  const lastError = async () => (await readBackupState(db, config, service.clock.now())).lastError;
  await expect(backUpScheduled(deps, never)).rejects.toThrow(`${logDir}, into which`);
  expect(await lastError()).toContain(`${logDir}, into which the log of the database was archived, is not there`);
  await symlink(away, away); // leads to itself, and every call on it fails
  await expect(backUpScheduled(deps, never)).rejects.toThrow("cannot be read: ELOOP");
  expect(await lastError()).toContain("The place of the backups cannot be read: ELOOP");
  await rm(away);
  await runInNextSecond();
  expect(await lastError()).toBeNull();
});

test("a newest backup that is not there, as where its disk is not mounted, is missed, and the disk below is not judged", async () => {
  const { config, db } = service.deps;
  await runInNextSecond();
  const room = () => readBackupRoom({ db, config });
  expect(await room()).toMatchObject({ dir });
  const [mounted, below] = [join(folder.path, "mounted"), dir];
  await rename(below, mounted);
  await mkdir(below);
  const newest = (await readScheduled(mounted)).complete.at(-1)?.name ?? "";
  expect(await room()).toBe("unknown");
  const check = STORE_CHECKS.find(({ name }) => name === "backup");
  const says = expect.stringContaining(`it is not at ${join(dir, newest)} any more`);
  expect(await check?.run(service.deps)).toMatchObject({ state: "warn", says });
  expect(await run()).toBe(1); // somebody who removed the old ones gets a new one
  expect(lines.join("\n")).toContain("the newest backup is not there");
  expect(await check?.run(service.deps)).toMatchObject({ state: "ok" });
  await rm(below, { recursive: true });
  await rename(mounted, below);
});
