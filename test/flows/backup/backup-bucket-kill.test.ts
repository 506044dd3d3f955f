import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTarget } from "../../../src/backup/backup-target.ts";
import { listScheduled } from "../../../src/backup/choose-backup.ts";
import { readConfig } from "../../../src/config.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type ObjectServer, startObjectServer } from "../../support/object-server.ts";
import { runCli, spawnPointkeeper, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

// What a process that is killed while it sends a backup leaves in a bucket, and what one does that was only frozen.

const DIR = "s3://of-the-tests/killed";

let bucket: ObjectServer;
let database: TestDatabase;

beforeAll(async () => {
  [bucket, database] = await Promise.all([startObjectServer(), createTestDatabase()]);
});
afterAll(async () => {
  await database?.drop();
  await bucket?.close();
});
beforeEach(() => {
  bucket.fault = () => undefined;
  bucket.objects.clear();
});

function envOf(dir: string): Record<string, string> {
  const { host, port, user, database: name } = database.connection;
  return {
    ...bucket.env,
    DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_BACKUP_DIR: dir,
    LOG_LEVEL: "error",
  };
}

const complete = async (dir: string) => listScheduled(dir, readConfig(envOf(dir)).objectStore);
const keys = (part: string) => [...bucket.objects.keys()].filter((key) => key.includes(part));

/** Lets the bucket be silent from the first request on that is about something of this name; returns once that was asked for. */
async function silentFrom(part: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  bucket.fault = ({ method, key }) => {
    if (method !== "PUT" || !key.includes(part)) return undefined;
    resolve();
    return "silent";
  };
  await promise;
}

test.each(["data/migration", "manifest.json"])(
  "a worker that is killed while it sends %s leaves nothing that counts, and the next one removes it",
  async (part) => {
    const dir = `${DIR}/${part.slice(0, 4)}`;
    const silent = silentFrom(part);
    const killed = await spawnService(envOf(dir));
    await silent;
    killed.child.kill("SIGKILL");
    await killed.ended;
    const left = new Set(keys("pointkeeper-").map((key) => key.split("/")[2]));
    expect([left.size, await complete(dir)]).toEqual([1, []]);
    const [name = ""] = left;
    bucket.fault = () => undefined;
    await database.owner.execute("update job set lease_until = clock_timestamp() where name = 'back up'"); // half a minute sooner
    const next = await spawnService(envOf(dir));
    await waitUntil(async () => (await complete(dir)).length === 1);
    await next.stop();
    expect(keys(name)).toEqual([]);
    await database.owner.execute("delete from job where name = 'back up'");
  },
);

test("a command that is killed leaves nothing that counts, and says so where its name is used again", async () => {
  const place = `${DIR}/by-hand`;
  const silent = silentFrom("data/migration/");
  const killed = spawnPointkeeper(["backup", place], envOf(DIR));
  await silent;
  killed.child.kill("SIGKILL");
  await killed.ended;
  bucket.fault = () => undefined;
  const verified = await runCli(["backup", "verify", place], envOf(DIR));
  expect([verified.code, verified.stderr]).toEqual([4, expect.stringContaining("holds no complete backup")]);
  const again = await runCli(["backup", place], envOf(DIR));
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/holds \d+ objects already/)]);
});

test("a backup whose parts another process removes right before its manifest does not count", async () => {
  const { objectStore } = readConfig(bucket.env);
  const target = await openTarget(`${DIR}/frozen`, objectStore);
  for (const name of ["data/a/000001.zst", "data/b/000001.zst"]) await target.put(name, Buffer.from(name));
  await target.put("manifest.json", Buffer.from("{}"));
  bucket.fault = ({ method, key }) => {
    if (method === "PUT" && key.endsWith("manifest.json")) bucket.objects.delete("killed/frozen/data/a/000001.zst");
    return undefined;
  };
  await expect(target.finish()).rejects.toThrow("data/a/000001.zst is not as it was stored");
  await target.discard();
  expect([...bucket.objects.keys()]).toEqual([]);
});
