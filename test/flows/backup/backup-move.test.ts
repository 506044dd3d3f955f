import { cp } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRowSource } from "../../../src/backup/row-source.ts";
import { connectClient } from "../../../src/db/connect-client.ts";
import { basic, createClient } from "../../support/client.ts";
import { createEmptyDatabase, createTestDatabase, type EmptyDatabase } from "../../support/database.ts";
import { makeFolder, runCli, spawnService } from "../../support/service-process.ts";

const CREDENTIAL = { key: "pk_move", secret: "secret-of-the-move-0123456789abcdef0123456" };
const KEY = "a secret key of the move, 0123456789";
const COMMON = {
  POINTKEEPER_SECRET_KEY: KEY,
  POINTKEEPER_API_KEY: CREDENTIAL.key,
  POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  LOG_LEVEL: "error",
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let empty: EmptyDatabase;
beforeAll(async () => {
  [folder, empty] = await Promise.all([makeFolder(), createEmptyDatabase()]);
});
afterAll(() => Promise.all([folder.remove(), empty.drop()]));

interface Entry {
  id: string;
  inserted_at: string;
  point_value: number;
}

/** Runs the service on a store, sends some awards, and returns the customer's ledger as the interface shows it. */
async function serve(settings: Record<string, string>, points: readonly number[]): Promise<Entry[]> {
  const service = await spawnService(settings);
  try {
    const client = createClient(service.url, basic(CREDENTIAL));
    await client.put("/api/storefront/customers/c1", { name: "C" });
    for (const point_value of points)
      expect((await client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value })).status).toBe(
        200,
      );
    const { body } = await client.get("/api/storefront/point_allotments/c1?limit=100");
    return body.data.map(({ id, inserted_at, point_value }: Entry) => ({ id, inserted_at, point_value }));
  } finally {
    await service.stop();
  }
}

test("a store moves from the embedded database to an external one and back, and goes on at both", async () => {
  const embedded = { ...COMMON, POINTKEEPER_DATA_DIR: join(folder.path, "first") };
  const external = { ...COMMON, POINTKEEPER_DATA_DIR: join(folder.path, "unused"), DATABASE_URL: empty.url };
  const back = { ...COMMON, POINTKEEPER_DATA_DIR: join(folder.path, "back") };
  const first = await serve(embedded, [1, 2, 3, -4]);
  expect(first).toHaveLength(4);

  const out = await runCli(["move", "--to", empty.url], embedded);
  expect(out, out.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(out.stdout).toMatch(/source: 1 customers, 4 allotments verified: everything holds/);
  expect(out.stdout).toMatch(/target: 1 customers, 4 allotments verified: everything holds/);
  expect(out.stdout).toContain("the digests of all tables are equal");
  const second = await serve(external, [10]);
  expect(second).toEqual(expect.arrayContaining(first));
  expect(second).toHaveLength(5);

  const again = await runCli(["move", "--to", empty.url], embedded);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty: it has the table") });
  const home = await runCli(["move", "--to", relative(process.cwd(), back.POINTKEEPER_DATA_DIR)], external);
  expect(home, home.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(home.stdout).toContain(`POINTKEEPER_DATA_DIR=${back.POINTKEEPER_DATA_DIR} and without DATABASE_URL`);
  const third = await serve(back, [100]);
  expect(third).toEqual(expect.arrayContaining(second));
  expect(third).toHaveLength(6);
  expect(await runCli(["verify"], back)).toMatchObject({ code: 0 });
});

test("a store is not moved while a service runs on it", async () => {
  const dataDir = join(folder.path, "running");
  await cp(join(folder.path, "first"), dataDir, { recursive: true });
  const settings = { ...COMMON, POINTKEEPER_DATA_DIR: dataDir };
  const service = await spawnService(settings);
  const target = join(folder.path, "target");
  const refused = await runCli(["move", "--to", target], settings);
  await service.stop();
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("A service is running on") });

  const external = { ...COMMON, POINTKEEPER_DATA_DIR: join(folder.path, "unused"), DATABASE_URL: empty.url };
  const node = await spawnService(external);
  const alsoRefused = await runCli(["move", "--to", target], external);
  await node.stop();
  expect(alsoRefused).toMatchObject({ code: 1, stderr: expect.stringMatching(/other sessions? (is|are) connected/) });
});

test("a target that cannot be used is refused in one line before the source is verified", async () => {
  const settings = { ...COMMON, POINTKEEPER_DATA_DIR: join(folder.path, "first") };
  const refusals: [to: string, code: number, line: RegExp][] = [
    ["mysql://user:of-the-test@host/shop", 2, /^--to must be a URL like postgresql:/],
    ["postgresql:/shop", 2, /^--to must be a URL like postgresql:/],
    ["localhost:5432/shop", 2, /^--to must be a URL like postgresql:/],
    [`${empty.url}&sslmode=encrypted`, 1, /^sslmode in --to must be one of /],
    [`${empty.url}&sslmode=require`, 3, /^The database cannot be used: The server does not support SSL connections\.$/],
    [empty.url, 1, /^The database of --to is not empty: it has the table \w+\./], // the first test moved a store there
  ];
  for (const [to, code, line] of refusals) {
    const { stderr, stdout, code: ended } = await runCli(["move", "--to", to], settings);
    expect([ended, stdout, stderr.trimEnd().split("\n")], to).toEqual([code, "", [expect.stringMatching(line)]]);
  }
});

test("a restore and the service take sslmode as psql does, and say that the server has no TLS", async () => {
  const env = {
    ...COMMON,
    POINTKEEPER_DATA_DIR: join(folder.path, "unused"),
    DATABASE_URL: `${empty.url}&sslmode=require`,
  };
  const backup = join(folder.path, "backup");
  await runCli(["backup", backup], { ...COMMON, POINTKEEPER_DATA_DIR: join(folder.path, "first") });
  for (const args of [["restore", backup], ["verify"]])
    expect(await runCli(args, env)).toMatchObject({
      code: 3,
      stderr: "The database cannot be used: The server does not support SSL connections.\n",
    });
});

test("a target with a table of another program is not empty", async () => {
  const target = await createEmptyDatabase();
  const client = await connectClient(target.connection);
  try {
    await client.query("create table theirs (id integer)");
    const refused = await runCli(["move", "--to", target.url], {
      ...COMMON,
      POINTKEEPER_DATA_DIR: join(folder.path, "first"),
    });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not empty: it has the table theirs."),
    });
  } finally {
    await client.end();
    await target.drop();
  }
});

test("rows of a connection that was lost before they are read fail their reader, and not the process", async () => {
  const database = await createTestDatabase();
  try {
    const client = await connectClient(database.ownerConnection);
    const source = await openRowSource(client, () => {});
    await client.end();
    const [table] = source.tables;
    if (table === undefined) throw new Error("a store has tables");
    const { stream } = source.rows(table);
    await setImmediate(); // a move reads a moment later, and after an interruption not at all
    await expect(text(Readable.from(stream))).rejects.toThrow("not queryable");
  } finally {
    await database.drop();
  }
});
