import { execFile } from "node:child_process";
import { open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTarget } from "../../../src/backup/backup-target.ts";
import { fillDataFolder } from "../../../src/backup/fill-data-folder.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { makeFolder, runCli, spawnService } from "../../support/service-process.ts";
import { mountSmallDisk } from "../../support/small-disk.ts";
import { waitUntil } from "../../support/wait-until.ts";

const SECRET_KEY = "a secret key of the tests, 0123456789";

function urlOf({ connection: { host, port, user, database } }: TestDatabase): string {
  return `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

async function fill(path: string): Promise<void> {
  const file = await open(path, "w");
  try {
    for (const size of [65_536, 1]) for (;;) await file.write(Buffer.alloc(size));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    await file.close();
  }
}

test("a tar has its name on a file system without room for a second name of a file", async () => {
  const folder = await makeFolder();
  const disk = await mountSmallDisk(join(folder.path, "disk"), "size=4m,nr_inodes=2"); // one is the folder's
  try {
    const target = await openTarget(join(disk.path, "b.tar"), null);
    await target.put("data/balance/000001.zst", Buffer.from("a"));
    await target.finish();
    expect(await readdir(disk.path)).toEqual(["b.tar"]);
  } finally {
    disk.unmount();
    await folder.remove();
  }
});

test("the service answers while the disk of its backups is full; doctor says so, and that the last backup is old", async () => {
  const [database, folder] = await Promise.all([createTestDatabase(), makeFolder()]);
  const disk = await mountSmallDisk(join(folder.path, "disk"));
  const credential = { key: "pk_full_disk", secret: "secret-of-the-full-disk-0123456789abcdef" };
  const env = {
    DATABASE_URL: urlOf(database),
    POINTKEEPER_SECRET_KEY: SECRET_KEY,
    POINTKEEPER_API_KEY: credential.key,
    POINTKEEPER_API_SECRET: credential.secret,
    POINTKEEPER_BACKUP_DIR: disk.path,
    LOG_LEVEL: "error",
  };
  const backupChecks = async () => {
    const { checks } = JSON.parse((await runCli(["doctor", "--json"], env)).stdout);
    const found = (name: string) => checks.find((check: { name: string }) => check.name === name);
    return { backup: found("backup"), place: found("backup place") };
  };
  await fill(join(disk.path, "filler"));
  const service = await spawnService(env);
  try {
    const authorization = `Basic ${Buffer.from(`${credential.key}:${credential.secret}`).toString("base64")}`;
    const send = (method: string, path: string, body: object) =>
      fetch(`${service.url}/api/storefront/${path}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await send("PUT", "customers/c", {})).status).toBe(201);
    const failed = async () =>
      (await database.owner.query("select from backup_run where error like '%ENOSPC%'")).length > 0;
    let awarded = 0;
    await waitUntil(async () => {
      expect((await send("POST", "point_allotments", { customer_id: "c", point_value: 1 })).status).toBe(200);
      awarded++;
      return failed();
    });
    for (const path of ["health", "ready"]) expect((await fetch(`${service.url}/${path}`)).status).toBe(200);
    expect((await send("POST", "point_allotments", { customer_id: "c", point_value: 1 })).status).toBe(200);
    expect(await database.owner.query("select ledger_points as points from balance")).toEqual([
      { points: BigInt(awarded + 1) },
    ]);
    expect(await readdir(disk.path)).toEqual(["filler"]);
    expect(await backupChecks()).toMatchObject({
      backup: { state: "fail", says: expect.stringMatching(/^the last one failed: .*ENOSPC.*; there is none$/) },
      place: { state: "fail", says: expect.stringContaining("and its disk is full") },
    });
    await rm(join(disk.path, "filler"));
    const done = "select from backup_run where cause = 'schedule' and ended_at is not null and error is null";
    await waitUntil(async () => (await database.owner.query(done)).length > 0);
    expect((await backupChecks()).backup).toMatchObject({ state: "ok" });
    await database.owner.execute("update backup_run set started_at = started_at - interval '49 hours'");
    expect((await backupChecks()).backup).toMatchObject({ state: "fail", says: expect.stringContaining("overdue") });
  } finally {
    await service.stop();
    disk.unmount();
    await database.drop();
    await folder.remove();
  }
});

test("a disk that is full before the backup ends fails it in words and leaves nothing but the run", async () => {
  const [database, folder] = await Promise.all([createTestDatabase(), makeFolder()]);
  const env = { ...process.env, DATABASE_URL: urlOf(database), POINTKEEPER_SECRET_KEY: SECRET_KEY, LOG_LEVEL: "error" };
  const backUp = (path: string, blocks: string) =>
    new Promise<{ code: unknown; stderr: string }>((resolve) => {
      // the system refuses what is longer than so many blocks of a file, as a disk without room does
      const args = ["-c", `ulimit -f ${blocks}; exec "$0" "$@"`, "bin/pointkeeper", "backup", path];
      execFile("sh", args, { env }, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
    });
  const runs = () => database.owner.query<{ error: string | null }>("select error from backup_run order by started_at");
  try {
    for (const made of ["copy", "copy.tar"]) {
      const place = join(folder.path, made);
      const { code, stderr } = await backUp(place, "8");
      expect(stderr).toMatch(/^The backup cannot be written to \S+: EFBIG.*No complete backup was left there\.\n$/);
      expect([code, await readdir(folder.path)]).toEqual([1, []]);
    }
    expect((await runs()).map(({ error }) => error?.includes("EFBIG"))).toEqual([true, true]);
    expect(await backUp(join(folder.path, "copy"), "unlimited")).toMatchObject({ code: 0 });
    expect((await runs()).map(({ error }) => error === null)).toEqual([false, false, true]);
  } finally {
    await database.drop();
    await folder.remove();
  }
});

test("a folder that a restore or a check cannot use is named in one line", async () => {
  const folder = await makeFolder();
  const place = join(folder.path, "file");
  await writeFile(place, "");
  const restoring = fillDataFolder({ dataDir: join(place, "store") }, async () => {});
  await expect(restoring).rejects.toThrow(/store cannot be written: ENOTDIR.* Nothing was restored\.$/);
  const { code, stderr } = await runCli(["backup", "verify", place, "--in", join(folder.path, "none")], {});
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^No temporary folder can be created in \S+: ENOENT.*--in\.\n$/),
  ]);
  await folder.remove();
});
