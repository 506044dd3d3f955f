import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backUp } from "../../../src/backup/back-up.ts";
import { openTarget } from "../../../src/backup/backup-target.ts";
import { selectDigests, selectTables, type TableDigest } from "../../../src/backup/catalog-queries.ts";
import { MANIFEST_NAME } from "../../../src/backup/manifest.ts";
import { createEncoder, writeNewIdentity } from "../../../src/backup/part-coder.ts";
import { restoreStore } from "../../../src/backup/restore-store.ts";
import { prepareSession } from "../../../src/backup/row-source.ts";
import { type Config, readConfig } from "../../../src/config.ts";
import { type Db, openPool } from "../../../src/db/pool.ts";
import { advanceSettledMark } from "../../../src/ledger/settled-mark/advance-settled-mark.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { createLog } from "../../../src/log.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../../support/database.ts";
import { makeEarlier, rewriteManifest } from "../../support/earlier-backup.ts";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder } from "../../support/service-process.ts";
import { signIn } from "../../support/staff.ts";

/** That of the services that tests start in their own process. */
const EMAIL = "hanako-of-the-backup@example.com";
const NAME = "Hanako\t\\N \\. \\\n 山田 \u{1F375} \"'";

let service: TestService;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let empty: EmptyDatabase;
let lines: string[] = [];
const log = createLog({ level: "warn", pretty: false, write: (line) => void lines.push(line) });

beforeAll(async () => {
  service = await startTestService({ worker: false, config: { databaseUrl: "postgresql://of-the-tests" } });
  const { client, deps } = service;
  await client.put("/api/storefront/customers/c1", { name: NAME, email: EMAIL });
  await client.put("/api/storefront/customers/c2", { name: "B" });
  for (let n = 1; n <= 10; n++) await award(client, n);
  await award(client, -7);
  const topic = "point_balance/update";
  await client.post("/api/storefront/webhooks", { topic, callback_url: "http://127.0.0.1:9/hook" });
  await signIn(service, "owner");
  await advanceSettledMark(deps);
});
afterAll(() => service.stop());
beforeEach(async () => {
  lines = [];
  [folder, empty] = await Promise.all([makeFolder(), createEmptyDatabase()]);
});
afterEach(() => Promise.all([folder.remove(), empty.drop()]));

const award = (client: TestService["client"], points: number) =>
  client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: points });
const place = (name: string) => join(folder.path, name);

function depsWith(backup: Partial<Config["backup"]> = {}) {
  const { config } = service.deps;
  return { ...service.deps, log, config: { ...config, backup: { ...config.backup, ...backup } } };
}

const make = (path: string, backup?: Partial<Config["backup"]>) =>
  backUp(depsWith(backup), { path, kind: "logical", cause: "command" });

function restore(
  path: string,
  { secretKey = TEST_SECRET_KEY, ...order }: { secretKey?: string; identityPath?: string } = {},
) {
  const config = { ...readConfig({}), dataDir: place("data"), databaseUrl: empty.url, secretKey };
  return restoreStore({ config, log }, { path, isKeyOptional: false, ...order });
}

async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const digestsOf = (connection: pg.ClientConfig) =>
  withClient(connection, async (client): Promise<TableDigest[]> => {
    await prepareSession(client);
    return selectDigests(client, await selectTables(client));
  });

/** Written after the snapshot: the end of the backup's run, and the log of the requests before it, a second or two late. */
const LATER = ["backup_run", "api_request"];
const withoutLater = (digests: readonly TableDigest[]) => digests.filter(({ name }) => !LATER.includes(name));

const SCHEMA = `select pg_get_constraintdef(oid) as def, conname as name, conrelid::regclass::text as "of" from pg_constraint
  where connamespace = 'public'::regnamespace
union all select pg_get_indexdef(indexrelid), indexrelid::regclass::text, indrelid::regclass::text from pg_index
  where indexrelid::regclass::text !~ '[.]'
union all select pg_get_triggerdef(oid), tgname || ' ' || tgenabled::text, tgrelid::regclass::text from pg_trigger where not tgisinternal
union all select format_type(atttypid, atttypmod) || attnotnull::text, attname, attrelid::regclass::text
  from pg_attribute a join pg_class c on c.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and attnum > 0
order by 3, 2, 1`;

const schemaOf = (connection: pg.ClientConfig) =>
  withClient(connection, async (client) => (await client.query(SCHEMA)).rows);

/** Works on the restored database as a service does. */
async function withRestored<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const db = openPool({ connection: empty.connection, connectionsMax: 3 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const isEmpty = () =>
  withClient(empty.connection, async (client) => {
    const { rowCount } = await client.query("select from pg_class where relnamespace = 'public'::regnamespace");
    return rowCount === 0;
  });

describe("a logical backup", () => {
  test.each(["backup", "backup.tar"])("as %s restores every row of every table, and the same schema", async (name) => {
    const manifest = await make(place(name));
    const before = await digestsOf(service.connection);
    expect(lines).toEqual([]); // no table was left out
    expect(manifest.tables.map((table) => table.name)).toEqual(before.map((digest) => digest.name));
    await restore(place(name));
    expect(withoutLater(await digestsOf(empty.connection))).toEqual(withoutLater(before));
    expect(await schemaOf(empty.connection)).toEqual(await schemaOf(service.connection));
  });

  test("restores a store that goes on: triggers, identities, watermark and leases", async () => {
    await service.deps.db.execute(
      `insert into job (name, lease_uid, lease_until) values ('of a dead node', $1, now() + interval '1 second')`,
      [service.deps.random.uid()],
    );
    await service.deps.db.execute("insert into job_plan (name, position, timing) values ('back up', 0, 'store')");
    await service.deps.db.execute("update ledger_mark set floor_xid = '18446744073709551000'::xid8");
    await make(place("b"));
    await service.deps.db.execute("update ledger_mark set floor_xid = null");
    await service.owner.execute("delete from job_plan");
    await restore(place("b"));
    await withRestored(async (db) => {
      expect(await db.query("select from job_plan")).toEqual([]); // what a worker of then planned is not late now
      const [audit] = await db.query<{ id: bigint }>("select max(id) as id from audit_entry");
      await expect(db.execute("delete from audit_entry")).rejects.toThrow();
      const restored = await startTestService({
        database: {
          db,
          connection: empty.connection,
          owner: db,
          ownerConnection: empty.connection,
          drop: async () => {},
        },
        worker: false,
      });
      await signIn(restored, "viewer"); // writes an audit entry with the next id
      expect((await db.query<{ id: bigint }>("select max(id) as id from audit_entry"))[0]?.id).toBeGreaterThan(
        audit?.id ?? 0n,
      );
      const posted = await award(restored.client, 1_000);
      expect(posted.status).toBe(200);
      // other databases of the server hold the mark back for a while
      const settled = async () => String((await advanceSettledMark(restored.deps)).settledAt);
      await expect.poll(settled).toBe(posted.body.data.inserted_at.replace(/0+Z$/, "Z"));
      expect((await verifyLedger(db, () => {}, ORDER_CHECKS)).ok).toBe(true);
      await restored.stop();
    });
  });

  test("has no transaction number, and every column of one may be null", async () => {
    const columns = await service.deps.db.query<{ isRequired: boolean }>(
      `select attnotnull as "isRequired" from pg_attribute a join pg_class c on c.oid = attrelid
       where relnamespace = 'public'::regnamespace and atttypid in ('xid'::regtype, 'xid8'::regtype) and attnum > 0`,
    );
    expect(columns).toEqual([{ isRequired: false }, { isRequired: false }]); // of the two watermarks
  });

  test("leaves a table of somebody else out, and says so", async () => {
    await service.owner.execute("create table of_another_program (n integer)");
    const { tables } = await make(place("b"));
    await service.owner.execute("drop table of_another_program");
    expect(tables.map(({ name }) => name)).not.toContain("of_another_program");
    expect(lines).toEqual([expect.stringContaining("of_another_program")]);
  });

  test("is never made over something, and one that ends early leaves nothing but its run", async () => {
    await writeFile(place("taken"), "x");
    await expect(make(place("taken"))).rejects.toThrow("is there already and not empty");
    await expect(make(join(place("taken"), "below"))).rejects.toThrow(/cannot be written to .*taken\/below: EEXIST/);
    const signal = AbortSignal.abort();
    const ended = backUp(depsWith(), { path: place("b"), kind: "logical", cause: "schedule", signal });
    await expect(ended).rejects.toThrow("ended early");
    expect(await readdir(folder.path)).toEqual(["taken"]);
    const [run] = await service.deps.db.query(
      "select error, ended_at from backup_run order by started_at desc limit 1",
    );
    expect(run).toEqual({ error: null, ended_at: null }); // its worker stopped: the next one makes it, and nothing has failed
  });
});

test.each(["b.tar", "b"])("%s that another command completed meanwhile stays as it is", async (name) => {
  const target = await openTarget(place(name), null);
  await target.put("data/balance/000001.zst", Buffer.from("a"));
  const taken = name === "b" ? join(place("b"), "of-the-other") : place(name);
  await mkdir(dirname(taken), { recursive: true });
  await writeFile(taken, "other");
  await expect(target.finish()).rejects.toThrow(
    "another backup was written there meanwhile. No complete backup was left",
  );
  await target.discard();
  expect(await readFile(taken, "utf8")).toBe("other");
  expect(await readdir(folder.path)).toEqual([name]);
});

describe("a restore refuses, and changes nothing", () => {
  afterEach(async () => expect(await isEmpty()).toBe(true));

  test("a part that is damaged or missing, by its name", async () => {
    const { tables } = await make(place("b"));
    const part = tables.find(({ name }) => name === "allotment")?.parts[0]?.name ?? "";
    const path = join(place("b"), part);
    const bytes = await readFile(path);
    await writeFile(path, bytes.with(bytes.length - 9, (bytes.at(-9) ?? 0) ^ 1));
    await expect(restore(place("b"))).rejects.toThrow(`${part} of the backup is damaged`);
    await truncate(path, 10);
    await expect(restore(place("b"))).rejects.toThrow(`${part} of the backup is damaged`);
  });

  test("what is no complete backup", async () => {
    await make(place("b.tar"));
    await truncate(place("b.tar"), 20_000);
    await expect(restore(place("b.tar"))).rejects.toThrow(`it has no ${MANIFEST_NAME}`);
    await expect(restore(place("none"))).rejects.toThrow("holds no complete backup");
    await make(place("b"));
    const manifest = await readFile(join(place("b"), MANIFEST_NAME), "utf8");
    await writeFile(join(place("b"), MANIFEST_NAME), manifest.replace('"format": 1', '"format": 2'));
    await expect(restore(place("b"))).rejects.toThrow("has the format 2; this Pointkeeper reads 1");
    await writeFile(join(place("b"), MANIFEST_NAME), manifest.replaceAll("data/balance/", "../data/balance/"));
    await expect(restore(place("b"))).rejects.toThrow("which is no name of one");
    await writeFile(join(place("b"), MANIFEST_NAME), manifest.slice(0, -20));
    await expect(restore(place("b"))).rejects.toThrow(`${MANIFEST_NAME} of ${place("b")} is damaged`);
  });

  test("a backup of a newer Pointkeeper", async () => {
    await make(place("b"));
    await rewriteManifest(place("b"), (manifest) => ({
      ...manifest,
      migrations: [...manifest.migrations, { number: 9_999, name: "9999_next.sql", sha256: "0" }],
    }));
    await expect(restore(place("b"))).rejects.toThrow("it has the migration 9999_next.sql");
  });

  test("an encrypted backup without its key, and one of another key", async () => {
    const recipient = await writeNewIdentity(place("key"));
    await make(place("b"), { recipients: [recipient] });
    await expect(restore(place("b"))).rejects.toThrow("--identity <file>");
    await writeNewIdentity(place("other"));
    await expect(restore(place("b"), { identityPath: place("other") })).rejects.toThrow("cannot be decrypted");
    await writeFile(place("no-key"), "# nothing\n");
    await expect(restore(place("b"), { identityPath: place("no-key") })).rejects.toThrow("holds no private key");
    await expect(restore(place("b"), { identityPath: place("absent") })).rejects.toThrow("cannot be read: ENOENT");
  });
});

test("a wrong secret key is refused; where none is there yet, the store is restored with a warning", async () => {
  await make(place("b"));
  const config = { ...readConfig({}), dataDir: place("data"), databaseUrl: empty.url, secretKey: undefined };
  await expect(restore(place("b"), { secretKey: "another key" })).rejects.toThrow("is not the one that encrypted");
  await restoreStore({ config, log }, { path: place("b"), isKeyOptional: false });
  expect(lines.join("")).toContain("before you start the store");
});

test("a database with a store in it is not restored over", async () => {
  await make(place("b"));
  await restore(place("b"));
  const before = await digestsOf(empty.connection);
  await expect(restore(place("b"))).rejects.toThrow("is not empty: it has the table");
  expect(await digestsOf(empty.connection)).toEqual(before);
});

test("an encrypted backup shows nothing of its customers and is restored with the private key", async () => {
  const recipient = await writeNewIdentity(place("key"));
  await make(place("b.tar"), { recipients: [recipient] });
  expect((await readFile(place("b.tar"))).includes(EMAIL)).toBe(false);
  await restore(place("b.tar"), { identityPath: place("key") });
  const rows = await withRestored((db) => db.query("select name from customer where email = $1", [EMAIL]));
  expect(rows).toEqual([{ name: NAME }]);
  expect(() => createEncoder(["age1nokey"])).toThrow("is no public key of age");
});

test("a backup of an earlier version is migrated after its rows are there", async () => {
  await make(place("b"));
  await makeEarlier(place("b"), 54);
  await restore(place("b"));
  const added = "select count(*)::integer as columns from information_schema.columns where column_name = 'kept_until'";
  expect(await withRestored((db) => db.query(added))).toEqual([{ columns: 1 }]);
  expect(await withRestored((db) => verifyLedger(db, () => {}, ORDER_CHECKS))).toMatchObject({ ok: true, faults: 0 });
  expect(await schemaOf(empty.connection)).toEqual(await schemaOf(service.connection));
});
