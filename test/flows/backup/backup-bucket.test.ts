import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backUpScheduled } from "../../../src/backup/back-up-scheduled.ts";
import { listScheduled } from "../../../src/backup/choose-backup.ts";
import { pruneBackups } from "../../../src/backup/prune-backups.ts";
import { shipLog } from "../../../src/backup/ship-log.ts";
import { readNewestFile, writeCheckpointFile } from "../../../src/checkpoints/checkpoint-files.ts";
import { type Config, readConfig } from "../../../src/config.ts";
import { ConfigError } from "../../../src/environment.ts";
import { openObjectStore } from "../../../src/object-store/open-object-store.ts";
import { basic, createClient } from "../../support/client.ts";
import { type ObjectServer, startObjectServer } from "../../support/object-server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder, runCli, type ServiceProcess, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { withDatabase } from "../../support/with-database.ts";

// Backups and the archived log in a bucket, at a server that checks every signature and digest. `npm run test:buckets` does the same at
// servers that others wrote.

let bucket: ObjectServer;
let folder: Awaited<ReturnType<typeof makeFolder>>;

beforeAll(async () => {
  bucket = await startObjectServer();
  folder = await makeFolder();
});
afterAll(async () => {
  await bucket?.close();
  await folder?.remove();
});
beforeEach(() => {
  bucket.fault = () => undefined;
  bucket.bytesMax = Number.POSITIVE_INFINITY;
});

const BYTES = Buffer.from("bytes");
const never = new AbortController().signal;
const DIR = "s3://of-the-tests/shop/backups";

describe("scheduled backups in a bucket", () => {
  let service: TestService;
  let config: Config;

  beforeAll(async () => {
    const env = { ...bucket.env, POINTKEEPER_BACKUP_DIR: DIR, POINTKEEPER_BACKUP_KEEP: "2" };
    const { backup, objectStore } = readConfig(env);
    service = await startTestService({ worker: false, config: { backup, objectStore, databaseUrl: "postgresql://x" } });
    config = service.deps.config;
    await service.client.post("/api/storefront/customers", {});
  });
  afterAll(() => service?.stop());

  const run = () => backUpScheduled(service.deps, never);
  const complete = async () => (await listScheduled(DIR, config.objectStore)).map(({ name }) => name);
  const lastError = async () => {
    const [row] = await service.deps.db.query<{ error: string | null }>(
      "select error from backup_run order by started_at desc limit 1",
    );
    return row?.error;
  };

  test("so many are kept whole, and what a killed run left is removed", async () => {
    bucket.objects.set("shop/backups/pointkeeper-20260101T000000Z/data/balance/000001.zst", Buffer.from("left"));
    bucket.objects.set("shop/backups/of-the-operator", Buffer.from("stays"));
    const names: string[] = [];
    for (let n = 0; n < 3; n++) {
      await delay(1_100); // each is named by its second
      await run();
      names.push(...(await complete()).slice(-1));
    }
    expect(await complete()).toEqual(names.slice(1));
    const folders = new Set([...bucket.objects.keys()].map((key) => key.split("/")[2]));
    expect([...folders].sort()).toEqual(["of-the-operator", ...names.slice(1)].sort());
  });

  test("a store of buckets that fails now and then, and loses answers, gets every object once", async () => {
    let n = 0;
    const faults = ["cut before", "cut after", 500, 503] as const;
    bucket.fault = () => (++n % 5 === 0 ? faults[n % 4] : undefined);
    await delay(1_100);
    expect(await run()).toBe(1);
    expect(n).toBeGreaterThan(50);
    bucket.fault = () => undefined;
    const place = `${DIR}/${(await complete()).at(-1)}`;
    const verified = await runCli(["backup", "verify", place], bucket.env);
    expect(verified, verified.stderr).toMatchObject({ code: 0 });
  });

  test("a bucket that is full fails the backup in words and leaves none that looks whole", async () => {
    const before = [...bucket.objects.keys()].sort();
    const used = [...bucket.objects.values()].reduce((sum, { length }) => sum + length, 0);
    bucket.bytesMax = used + 5_000;
    await delay(1_100);
    await expect(run()).rejects.toThrow(/cannot be written to s3:.*403, QuotaExceeded: The bucket is full/);
    expect([...bucket.objects.keys()].sort()).toEqual(before);
    expect(await lastError()).toContain("QuotaExceeded");
  });

  test("where the bucket is away for good half-way, what is left has no manifest, and the next run removes it", async () => {
    const before = await complete();
    let puts = 0;
    bucket.fault = ({ method }) => (method === "PUT" && ++puts < 5 ? undefined : method === "GET" ? undefined : 403);
    await delay(1_100);
    await expect(run()).rejects.toThrow("403");
    const left = [...bucket.objects.keys()].filter((key) => !before.some((name) => key.includes(name)));
    expect(left.length).toBeGreaterThan(3);
    expect(left.filter((key) => key.endsWith("manifest.json"))).toEqual([]);
    expect(await complete()).toEqual(before);
    bucket.fault = () => undefined;
    await delay(1_100);
    await run();
    const [name = ""] = left.filter((key) => key.includes("pointkeeper-")).map((key) => key.split("/")[2]);
    expect([...bucket.objects.keys()].filter((key) => key.includes(name))).toEqual([]);
  });

  test.each(["GET", "PUT"])(
    "a web page that answers %s is no object store: nothing counts as stored or as absent",
    async (by) => {
      const before = await complete();
      bucket.fault = ({ method }) => (method === by ? "web page" : undefined);
      const { objectStore } = config;
      if (objectStore === null) throw new Error("the test has access to its bucket");
      const store = openObjectStore({ bucketName: bucket.bucket, prefix: "page" }, objectStore);
      const reads = [() => store.list(""), () => store.names("")];
      const writes = [() => store.put("a", BYTES), () => store.replace("b", BYTES)];
      for (const use of by === "GET" ? reads : writes)
        await expect(use()).rejects.toThrow("something that is no object store");
      await delay(1_100);
      await expect(run()).rejects.toThrow("something that is no object store");
      bucket.fault = () => undefined;
      expect(await complete()).toEqual(before);
    },
  );

  test("a bucket from which nothing may be removed takes backups, and only the job that prunes them fails", async () => {
    const before = await complete();
    bucket.objects.set("shop/backups/pointkeeper-20260102T000000Z/data/balance/000001.zst", Buffer.from("left"));
    bucket.fault = ({ method }) => (method === "DELETE" ? 403 : undefined);
    await delay(1_100);
    expect(await run()).toBe(1);
    expect((await complete()).length).toBe(before.length + 1);
    await expect(pruneBackups(service.deps)).rejects.toThrow("was answered 403");
    bucket.fault = () => undefined;
    expect(await pruneBackups(service.deps)).toBe(1);
    expect((await complete()).slice(0, -1)).toEqual(before.slice(1));
  });

  test("a part that somebody removes while the backup is written is missed before the manifest", async () => {
    let puts = 0;
    bucket.fault = ({ method }) => {
      const last = [...bucket.objects.keys()].at(-1) ?? "";
      if (method === "PUT" && ++puts === 5) bucket.objects.delete(last);
      return undefined;
    };
    await delay(1_100);
    await expect(run()).rejects.toThrow("something else writes there");
  });
});

test("the commands back up to a place in a bucket, list, verify and restore it, and refuse in words", {
  timeout: 600_000,
}, async () => {
  const data = join(folder.path, "commands");
  const service = await spawnService({ POINTKEEPER_DATA_DIR: data, LOG_LEVEL: "error" });
  service.child.kill("SIGTERM");
  await service.ended;
  const env = { ...bucket.env, POINTKEEPER_DATA_DIR: data };
  const place = "s3://of-the-tests/by-hand/first";
  const made = await runCli(["backup", place], env);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  expect(await runCli(["backup", place], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/holds \d+ objects already/),
  });
  expect(await runCli(["backup", verifyTar(place)], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(".tar"),
  });
  const listed = await runCli(["backup", "list", "--json"], {
    ...env,
    POINTKEEPER_BACKUP_DIR: "s3://of-the-tests/by-hand",
  });
  expect(listed).toMatchObject({ code: 0, stdout: "[]\n" }); // no scheduled ones
  await mkdir(join(folder.path, "restored"));
  const restored = { ...env, POINTKEEPER_DATA_DIR: join(folder.path, "restored") };
  expect(await runCli(["restore", place, "--without-key"], restored)).toMatchObject({ code: 0 });
  expect(await runCli(["backup", `${place}-2`], { ...env, AWS_SECRET_ACCESS_KEY: "" })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("AWS_SECRET_ACCESS_KEY"),
  });
  const wrong = { ...env, AWS_SECRET_ACCESS_KEY: "another" };
  const refused = await runCli(["backup", `${place}-2`], wrong);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("SignatureDoesNotMatch") });
  expect(refused.stderr).not.toContain('another"');
  const absent = await runCli(["backup", "verify", "s3://of-the-tests/nowhere"], env);
  expect(absent).toMatchObject({ code: 4, stderr: expect.stringContaining("holds no complete backup") });
  const verifiedBy = await runCli(["backup", "verify", place], wrong);
  expect(verifiedBy.stderr).toMatch(/^GET s3:\S+ was answered 403, SignatureDoesNotMatch: .*\n$/); // one line, no stack
  expect(await runCli(["backup", "s3://no-such-bucket/x"], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("NoSuchBucket"),
  });
});

const verifyTar = (place: string) => `${place}.tar`;

/** Ends the segment of the log that is being written, and returns its name. */
async function endSegment(env: Record<string, string>): Promise<string> {
  const [row] = await withDatabase(
    env,
    (db) => db.query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name"),
    { isOwner: true },
  );
  return row?.name ?? "";
}

test("the log of the embedded database goes to the bucket, and a restore from there goes to a moment", async () => {
  const credential = { key: "pk_bucket", secret: "secret-of-the-bucket-0123456789abcdef0123" };
  const env = {
    ...bucket.env,
    POINTKEEPER_DATA_DIR: join(folder.path, "logged"),
    POINTKEEPER_BACKUP_DIR: "s3://of-the-tests/logged",
    POINTKEEPER_BACKUP_LOG: "1",
    POINTKEEPER_BACKUP_LOG_SECONDS: "1",
    POINTKEEPER_API_KEY: credential.key,
    POINTKEEPER_API_SECRET: credential.secret,
    LOG_LEVEL: "error",
  };
  const service: ServiceProcess = await spawnService(env);
  try {
    const client = createClient(service.url, basic(credential));
    await client.put("/api/storefront/customers/c1", {});
    const award = () => client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 7 });
    const access = readConfig(env).objectStore;
    await waitUntil(async () => (await listScheduled(env.POINTKEEPER_BACKUP_DIR, access)).length === 1);
    await award();
    await delay(1_000);
    const moment = Temporal.Now.instant();
    await delay(100);
    await award();
    const segment = await endSegment(env);
    await waitUntil(() => [...bucket.objects.keys()].some((key) => key.includes(segment)));
    const restored = { ...env, POINTKEEPER_DATA_DIR: join(folder.path, "to-moment"), POINTKEEPER_BACKUP_DIR: "" };
    const { POINTKEEPER_BACKUP_LOG: _, POINTKEEPER_BACKUP_LOG_SECONDS: __, ...settings } = restored;
    const command = ["restore", "s3://of-the-tests/logged", "--to", moment.toString(), "--without-key"];
    const done = await runCli(command, settings);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const shown = await runCli(["customer", "c1", "--json"], settings);
    expect(shown, shown.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(shown.stdout)).toMatchObject({ balance: { available: 7 } });

    const later = await endSegment(env);
    await waitUntil(() => [...bucket.objects.keys()].some((key) => key.includes(later)));
    for (const key of [...bucket.objects.keys()].filter((name) => name.includes(segment))) bucket.objects.delete(key);
    const { stdout } = await runCli(["doctor"], env);
    expect(stdout).toMatch(
      new RegExp(`warn {2}backup place .* lacks the segment whose name ends with ${segment.slice(8)}`),
    );
  } finally {
    service.child.kill("SIGKILL");
    await service.ended;
    await delay(500);
  }
  await withDatabase(env, async (db) => {
    for (let shipped = 1; shipped > 0; ) {
      bucket.requests.length = 0;
      shipped = await shipLog({ db, config: readConfig(env) });
    }
    expect(bucket.requests).toEqual([]); // a bucket is not listed where there is nothing to archive
  });
});

test.each([
  [{ POINTKEEPER_BACKUP_DIR: "s3://b" }, "must be a folder, or s3://bucket/prefix"],
  [{ POINTKEEPER_BACKUP_DIR: "s3://bucket/../up" }, "must be a folder, or s3://bucket/prefix"],
  [{ POINTKEEPER_BACKUP_DIR: "s3://bucket/a b" }, "must be a folder, or s3://bucket/prefix"],
  [{ POINTKEEPER_BACKUP_DIR: "s3://bucket/a" }, "set AWS_ACCESS_KEY_ID"],
  [{ AWS_ENDPOINT_URL: "minio:9000" }, "AWS_ENDPOINT_URL must be an http or https address"],
])("the setting %j is refused", (env, says) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(says);
});

test("checkpoints are kept in a bucket, replaced there, and read from there", async () => {
  const access = readConfig(bucket.env).objectStore;
  const outside = { folder: "s3://of-the-tests/checkpoints", access };
  expect(await readNewestFile(outside)).toBeNull();
  await writeCheckpointFile(outside, { note: "one", time: "2026-03-01T09:30:00.000000Z" });
  await writeCheckpointFile(outside, { note: "two", time: "2026-03-01T09:31:00.000000Z" });
  expect(await readNewestFile(outside)).toBe("two");
  expect(bucket.objects.get("checkpoints/2026-03-01.checkpoint")?.toString()).toBe("two");
});
