import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { basic, createClient } from "../../support/client.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../../support/database.ts";
import { makeFolder, runCli, spawnPointkeeper, spawnService } from "../../support/service-process.ts";
import { forge } from "../../support/store-file.ts";
import { waitUntil } from "../../support/wait-until.ts";

const CREDENTIAL = { key: "pk_file", secret: "secret-of-the-file-0123456789abcdef0123456" };
const COMMON = {
  POINTKEEPER_SECRET_KEY: "a secret key of the file, 0123456789",
  POINTKEEPER_API_KEY: CREDENTIAL.key,
  POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  LOG_LEVEL: "error",
};
/** So that the import takes long enough to be killed in its middle. */
const MANY = 150_000;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let databases: readonly [EmptyDatabase, EmptyDatabase];
beforeAll(async () => {
  folder = await makeFolder();
  databases = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()));
  await folder.remove();
});

const settingsOf = (database: EmptyDatabase) => ({
  ...COMMON,
  POINTKEEPER_DATA_DIR: join(folder.path, "unused"),
  DATABASE_URL: database.url,
});

interface Entry {
  id: string;
  inserted_at: string;
  point_value: number;
}

/** Starts the service on a store, awards points, and returns the ledger of c1 as the interface shows it. */
async function serve(database: EmptyDatabase, points: readonly number[]): Promise<Entry[]> {
  const service = await spawnService(settingsOf(database));
  try {
    const client = createClient(service.url, basic(CREDENTIAL));
    if (points.length > 0) await client.put("/api/storefront/customers/c1", { name: "C" });
    for (const point_value of points)
      await client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value });
    const { body } = await client.get("/api/storefront/point_allotments/c1?per_page=100");
    return (body.data ?? []).map(({ id, inserted_at, point_value }: Entry) => ({ id, inserted_at, point_value }));
  } finally {
    await service.stop();
  }
}

/** Kills an import while it inserts rows. It is watched from another database: the import refuses one that others are connected to. */
async function killImport(file: string, [watched, database]: typeof databases): Promise<void> {
  const { child } = spawnPointkeeper(["import", file, "--from", "pointkeeper", "--yes"], settingsOf(database));
  const closed = once(child, "close");
  const client = new pg.Client(watched.connection);
  await client.connect();
  const inserting = async () =>
    (
      await client.query(
        "select from pg_stat_activity where state = 'active' and query like 'insert into \"job_run\"%' and pid <> pg_backend_pid()",
      )
    ).rowCount === 1;
  await waitUntil(inserting);
  child.kill("SIGKILL");
  expect((await closed)[1]).toBe("SIGKILL");
  await waitUntil(async () => !(await inserting()));
  await client.end();
}

test("export all and import --from pointkeeper: another store goes on, also after a kill in the middle", async () => {
  const [from, to] = databases;
  const first = await serve(from, [100, 20, -3]);
  expect(first).toHaveLength(3);
  expect(await serve(to, [])).toEqual([]);
  const file = join(folder.path, "store.jsonl");
  const out = await runCli(["export", "all", file, "--json"], settingsOf(from));
  expect(out, out.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(out.stdout)).toMatchObject({ lines: { customer: 1, point_allotment: 3 }, with_secrets: false });
  const piped = await runCli(["export", "all", "-"], settingsOf(from));
  expect(piped.stdout.split("\n").at(-2)).toMatch(/^\{"type":"end"/);

  const look = await runCli(["import", file, "--from", "pointkeeper", "--dry-run"], settingsOf(to));
  expect(look, look.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("1 customers, 3 allotments") });
  const asked = await runCli(["import", file, "--from", "pointkeeper"], settingsOf(to));
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("confirm with --yes") });

  const large = join(folder.path, "large.jsonl");
  await forge(file, large, (lines) => {
    const run = '"job":"prune","business_at":"2026-01-01T00:00:00Z","started_at":"2026-01-01T00:00:00Z"';
    for (let n = 0; n < MANY; n++)
      lines.push(`{"type":"job_run","data":{"uid":"019b0000-0000-7000-8000-${String(n).padStart(12, "0")}",${run}}}`);
  });
  await killImport(large, databases);
  const done = await runCli(["import", file, "--from", "pointkeeper", "--yes"], settingsOf(to));
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("everything holds") });
  expect(await runCli(["verify"], settingsOf(to))).toMatchObject({ code: 0 });
  const again = await runCli(["import", file, "--from", "pointkeeper", "--yes"], settingsOf(to));
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already has customers") });
  const second = await serve(to, [5]);
  expect(second).toEqual(expect.arrayContaining(first));
  expect(second).toHaveLength(4);
});

test("a file that cannot be read, or a store that is served, is refused in words", async () => {
  const [, to] = databases;
  const absent = await runCli(["import", "/nowhere.jsonl", "--from", "pointkeeper"], settingsOf(to));
  expect(absent).toMatchObject({ code: 4, stderr: expect.stringContaining("/nowhere.jsonl cannot be read") });
  const service = await spawnService(settingsOf(to));
  const file = join(folder.path, "store.jsonl");
  const refused = await runCli(["import", file, "--from", "pointkeeper", "--yes"], settingsOf(to));
  await service.stop();
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/other sessions? (is|are) connected/) });
  expect((await readFile(file, "utf8")).startsWith('{"type":"header"')).toBe(true);
});
