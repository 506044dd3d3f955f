import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { backUpScheduled } from "../../../src/backup/back-up-scheduled.ts";
import { openBackupPlace } from "../../../src/backup/backup-place.ts";
import { chooseBackup, listScheduled, readScheduled, scheduledName } from "../../../src/backup/choose-backup.ts";
import { pruneBackups } from "../../../src/backup/prune-backups.ts";
import { type Config, readConfig } from "../../../src/config.ts";
import { openObjectStore } from "../../../src/object-store/open-object-store.ts";
import { createTestDatabase } from "../../support/database.ts";
import { type ObjectFault, type ObjectServer, startObjectServer } from "../../support/object-server.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { runCli } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

// Backups in a bucket that is away, silent, behind a proxy that answers in its place, or used by another store too.

const BYTES = Buffer.from("bytes");
const DIR = "s3://of-the-tests/shop/backups";

let bucket: ObjectServer;
let service: TestService;
let config: Config;

beforeAll(async () => {
  bucket = await startObjectServer();
  const { backup, objectStore } = readConfig({ ...bucket.env, POINTKEEPER_BACKUP_DIR: DIR });
  service = await startTestService({ worker: false, config: { backup, objectStore, databaseUrl: "postgresql://x" } });
  config = service.deps.config;
  await run();
});
afterAll(async () => {
  await service?.stop();
  await bucket?.close();
});
beforeEach(() => {
  bucket.fault = () => undefined;
});

const run = () => backUpScheduled(service.deps, new AbortController().signal);
const complete = async () => (await listScheduled(DIR, config.objectStore)).map(({ name }) => name);

function openInTest(prefix: string) {
  const { objectStore } = config;
  if (objectStore === null) throw new Error("the test has access to its bucket");
  return openObjectStore({ bucketName: bucket.bucket, prefix }, objectStore);
}

test("a 404 that is no object store's removes no backup, and does not say that one is missing", async () => {
  const before = await complete();
  bucket.fault = ({ method, key }) => (method === "GET" && key.endsWith("manifest.json") ? 404 : undefined);
  await expect(complete()).rejects.toThrow("manifest.json was answered 404");
  await delay(1_100);
  await run();
  bucket.fault = () => undefined;
  expect((await complete()).slice(0, -1)).toEqual(before);
});

test("what another store writes in the same place now stays, although it has no manifest yet", async () => {
  const name = scheduledName(Temporal.Now.instant().subtract({ minutes: 5 }));
  const key = `shop/backups/${name}/data/balance/000001.zst`;
  bucket.objects.set(key, Buffer.from("of another store"));
  await delay(1_100);
  await run();
  expect(bucket.objects.delete(key)).toBe(true);
});

test("a store that denies a manifest which it lists loses no backup", async () => {
  const before = [...bucket.objects.keys()];
  const denied = { status: 404, code: "NoSuchKey" };
  bucket.fault = ({ method, key }) => (method === "GET" && key.endsWith("manifest.json") ? denied : undefined);
  await delay(1_100);
  await run();
  expect([...bucket.objects.keys()].slice(0, before.length)).toEqual(before);
});

test("a backup whose manifest the store lists and denies is not passed over: it is named, and a restore takes no older one", async () => {
  const newest = (await complete()).at(-1) ?? "";
  const denied = { status: 404, code: "NoSuchKey" };
  bucket.fault = ({ method, key }) =>
    method === "GET" && key.endsWith(`${newest}/manifest.json`) ? denied : undefined;
  const { damaged } = await readScheduled(DIR, config.objectStore);
  expect(damaged).toMatchObject([{ name: newest, says: expect.stringContaining("is listed there") }]);
  await expect(chooseBackup(DIR, undefined, config.objectStore)).rejects.toThrow(
    /manifest\.json of \S+ is listed there, but .* there is none.* The newest complete one is \S+: name it/,
  );
});

test("the archived log stays while the store denies the manifest of a backup that may need it", async () => {
  const key = (path: string) => `shop/backups/${path}`;
  const newest = bucket.objects.get(key(`${(await complete()).at(-1)}/manifest.json`));
  const names = ["pointkeeper-20260101T000000Z", "pointkeeper-20260102T000000Z"];
  for (const [n, name] of names.entries()) {
    const base = { systemId: "77", firstSegment: `00000001000000000000000${5 + n}`, parts: [] };
    const manifest = { ...JSON.parse(String(newest)), kind: "physical", base };
    bucket.objects.set(key(`${name}/manifest.json`), Buffer.from(JSON.stringify(manifest)));
  }
  const segments = [4, 5, 6].map((n) => key(`log/77/00000001000000000000000${n}.0123456789abcdef.zst`));
  for (const segment of segments) bucket.objects.set(segment, BYTES);
  const prune = async () => {
    await pruneBackups({ ...service.deps, config: { ...config, backup: { ...config.backup, keep: 1_000 } } });
    return segments.map((segment) => bucket.objects.has(segment));
  };
  const denied = { status: 404, code: "NoSuchKey" };
  bucket.fault = (asked) => (asked.method === "GET" && asked.key.includes(`${names[0]}/manifest`) ? denied : undefined);
  expect(await prune()).toEqual([true, true, true]);
  bucket.fault = () => undefined;
  expect(await prune()).toEqual([false, true, true]);
  for (const path of [...segments, ...names.map((name) => key(`${name}/manifest.json`))]) bucket.objects.delete(path);
});

test("a store that answers 403 for a missing object is believed where it lists none, and not where it refuses to list", async () => {
  const store = openInTest("forbidden");
  await store.put("a", BYTES);
  bucket.isMissingForbidden = true;
  try {
    expect(await store.get("a", 100)).toEqual(BYTES);
    expect(await store.get("b", 100)).toBeNull();
    bucket.fault = ({ method, key }) => (method === "GET" && key === "forbidden/a" ? 403 : undefined);
    await expect(store.get("a", 100)).rejects.toThrow("GET s3://of-the-tests/forbidden/a was answered 403");
    bucket.fault = ({ method, key }) => (method === "GET" && key === "" ? 403 : undefined);
    await expect(store.get("b", 100)).rejects.toThrow("GET s3://of-the-tests/forbidden/b was answered 403");
  } finally {
    bucket.isMissingForbidden = false;
  }
});

test("a 404 of a proxy removes no object, and one of a store without the object counts as removed", async () => {
  const place = openBackupPlace(DIR, config.objectStore);
  const [name = ""] = await complete();
  const before = [...bucket.objects.keys()];
  bucket.fault = ({ method, key }) => (method === "DELETE" && key.endsWith("manifest.json") ? 404 : undefined);
  await expect(place.removeBackup(name)).rejects.toThrow("manifest.json was answered 404");
  bucket.fault = () => undefined;
  expect([...bucket.objects.keys()]).toEqual(before);
  bucket.fault = ({ method }) => (method === "DELETE" ? { status: 404, code: "NoSuchKey" } : undefined);
  await openInTest("none").remove(["a"]);
});

test("a request is repeated where the store says that its body came too slowly, or that another one is in progress", async () => {
  const passing = [
    { status: 400, code: "RequestTimeout" },
    { status: 409, code: "ConditionalRequestConflict" },
  ];
  bucket.fault = ({ method }) => (method === "PUT" ? passing.shift() : undefined);
  await openInTest("slow").put("a", BYTES);
  expect(passing).toEqual([]);
  bucket.fault = ({ method }) => (method === "PUT" ? { status: 400, code: "InvalidRequest" } : undefined);
  await expect(openInTest("slow").put("b", BYTES)).rejects.toThrow("was answered 400, InvalidRequest");
});

test("what cannot be read, or is not there after all, does not count as there already", async () => {
  const store = openInTest("new");
  const whenPut = (put: ObjectFault, get?: ObjectFault): void => {
    bucket.fault = ({ method }) => (method === "PUT" ? put : method === "GET" ? get : undefined);
  };
  whenPut({ status: 412, code: "PreconditionFailed" }, 403);
  await expect(store.put("a", BYTES)).rejects.toThrow("GET s3://of-the-tests/new/a was answered 403");
  whenPut({ status: 501, code: "NotImplemented" }, 403);
  await expect(store.put("a", BYTES)).rejects.toThrow("GET s3://of-the-tests/new/a was answered 403");
  whenPut({ status: 409, code: "BucketLocked" });
  await expect(store.put("a", BYTES)).rejects.toThrow("PUT s3://of-the-tests/new/a was answered 409, BucketLocked");
  bucket.fault = () => undefined;
  await store.put("a", BYTES);
  for (const other of ["b", "other bytes"])
    await expect(store.put("a", Buffer.from(other))).rejects.toThrow("is there already, and is another one");
});

test("a restore from a bucket that is away does not call the backup damaged", async () => {
  const place = `${DIR}/${(await complete()).at(-1)}`;
  bucket.fault = ({ key }) => (key.includes("/data/") ? { status: 403, code: "RequestTimeTooSkewed" } : undefined);
  const { code, stderr } = await runCli(["backup", "verify", place], bucket.env);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^data\/\S+ of the backup cannot be read: .*TooSkewed/)]);
  expect(stderr).toMatch(/does not mean that the backup is damaged: try again/);
});

test("a worker that waits for a silent bucket stops at once, and its backup is no failed one", async () => {
  const env = { ...bucket.env, POINTKEEPER_BACKUP_DIR: "s3://of-the-tests/silent" };
  const { backup, objectStore } = readConfig(env);
  bucket.fault = ({ method }) => (method === "PUT" ? "silent" : undefined);
  const database = await createTestDatabase();
  const databaseUrl = "postgresql://x";
  const stopping = await startTestService({ config: { backup, objectStore, databaseUrl }, database });
  await waitUntil(() => bucket.requests.some(({ method, key }) => method === "PUT" && key.startsWith("silent/")));
  const startedMs = performance.now();
  await stopping.stop();
  expect(performance.now() - startedMs).toBeLessThan(25_000); // the request by itself, two minutes; a stop abandons it after half a minute
  const [run] = await database.db.query("select outcome, error from job_run where job = 'back up'");
  expect(run).toEqual({ outcome: "stopped", error: null });
  await database.drop();
});
