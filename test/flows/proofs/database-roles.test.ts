import { randomUUID } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbeddedServer } from "../../../src/db/embedded/start-embedded-server.ts";
import { openPool } from "../../../src/db/pool.ts";
import { SERVICE_ROLE } from "../../../src/db/roles/service-grants.ts";
import { createClient } from "../../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { makeFolder, runCli, spawnPointkeeper, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const CREDENTIAL = { key: "pk_roles", secret: "secret-of-the-roles-0123456789abcdef012345" };
const API = "/api/storefront";
const OTHERS =
  "select distinct usename as role, application_name as application from pg_stat_activity where datname = $1 and pid <> pg_backend_pid() order by 1, 2";

const settings = (more: Record<string, string>) => ({
  POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
  POINTKEEPER_API_KEY: CREDENTIAL.key,
  POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  ...more,
});

async function award(url: string): Promise<number> {
  const client = createClient(url, `Bearer ${CREDENTIAL.secret}`);
  await client.put(`${API}/customers/ann`, {});
  return (await client.post(`${API}/point_allotments`, { customer_id: "ann", point_value: 5 })).status;
}

describe("an external database with an owner and a role of the service", () => {
  const suffix = randomUUID().replaceAll("-", "").slice(0, 8);
  const [owner, service] = [`shop_owner_${suffix}`, `shop_service_${suffix}`];
  let database: TestDatabase;
  let admin: pg.Client;
  const url = (role: string) => {
    const { host, port, database: name } = database.connection;
    return `postgresql://${role}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new pg.Client(database.ownerConnection);
    await admin.connect();
    // docs/operations.md, Database roles
    await admin.query(`create role ${owner} login; create role ${service} login`);
    await admin.query(`drop schema public cascade; create schema public authorization ${owner}`);
  });
  afterAll(async () => {
    await admin.query(`drop owned by ${owner}, ${service} cascade; drop role ${owner}, ${service}`);
    await admin.end();
    await database.drop();
  });

  const both = () => settings({ DATABASE_URL: url(service), DATABASE_MIGRATION_URL: url(owner) });

  test("migrate makes the schema as the owner; the service works as its own role, and nothing warns", async () => {
    const shown = await runCli(["migrate", "--dry-run"], both());
    expect([shown.code, shown.stdout.split("\n")[0]]).toEqual([0, "would apply 0001_foundation.sql"]);
    const made = await runCli(["migrate"], both());
    expect([made.code, made.stderr]).toEqual([
      0,
      expect.stringMatching(/^[\d:.]{12} info {2}the schema was created \{/),
    ]); // no colours: no terminal
    const node = await spawnService(settings({ DATABASE_URL: url(service) }));
    expect(await award(node.url)).toBe(200);
    const { rows } = await admin.query(OTHERS, [database.connection.database]);
    expect(rows).toEqual([{ role: service, application: "pointkeeper all" }]);
    await node.stop();
    expect(node.stdout()).not.toContain('"level":"warn"');
    expect((await runCli(["verify"], settings({ DATABASE_URL: url(service) }))).code).toBe(0);
    const folder = await makeFolder();
    const backup = await runCli(["backup", join(folder.path, "copy")], settings({ DATABASE_URL: url(service) }));
    await folder.remove();
    expect([backup.code, backup.stderr]).toEqual([0, ""]);
    const { rows: owners } = await admin.query(
      "select distinct tableowner as owner from pg_tables where schemaname = 'public'",
    );
    expect(owners).toEqual([{ owner }]);
  });

  test("the service's role reads all that a backup and the whole store as a file need", async () => {
    const folder = await makeFolder();
    const own = settings({ DATABASE_URL: url(service) });
    expect(await runCli(["backup", join(folder.path, "rows")], own)).toMatchObject({ code: 0, stderr: "" });
    expect((await runCli(["export", "all", join(folder.path, "store.jsonl")], own)).code).toBe(0);
    await admin.query(`drop schema public cascade; create schema public authorization ${owner}`);
    expect(await runCli(["restore", join(folder.path, "rows")], both())).toMatchObject({ code: 0 });
    expect(await runCli(["jobs", "--json"], own)).toMatchObject({ stderr: "" }); // it has its privileges again
    await folder.remove();
  });

  test("a move by the owner is refused while the service's role is connected", async () => {
    const node = new pg.Client({ ...database.connection, user: service });
    await node.connect();
    const folder = await makeFolder();
    const moved = await runCli(["move", "--to", join(folder.path, "moved")], both());
    await Promise.all([node.end(), folder.remove()]);
    expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining("1 other session is connected") });
  });

  test("the owner as the service's role works, and the log says what that role could do", async () => {
    const node = await spawnService(settings({ DATABASE_URL: url(owner) }));
    expect(await award(node.url)).toBe(200);
    await node.stop();
    expect(node.stdout()).toContain("the database role of the service may change the ledger's history");
  });

  test("privileges that the service's role was given beyond its own are taken at the next start", async () => {
    await admin.query(`grant all on allotment, audit_entry to ${service}`);
    await (await spawnService(both())).stop();
    const { rows } = await admin.query(
      "select has_table_privilege($1, 'allotment', 'update, delete, truncate, trigger') as beyond",
      [service],
    );
    expect(rows).toEqual([{ beyond: false }]);
  });

  test("doctor names the role and the URL that do not do, and a limit of connections below the pool's size", async () => {
    const checksOf = async (env: Record<string, string>) => {
      const { checks } = JSON.parse((await runCli(["doctor", "--json"], env)).stdout);
      return Object.fromEntries(checks.map((check: { name: string }) => [check.name, check]));
    };
    const cannot = expect.stringMatching(/^shop_service_\w+, which is no superuser and cannot change/);
    expect(await checksOf(both())).toMatchObject({
      schema: { state: "ok" },
      role: { state: "ok", says: cannot },
      "migration role": { state: "ok" },
    });
    await admin.query(`alter role ${owner} connection limit 7`);
    const elsewhere = url(owner).replace(database.connection.database ?? "", "postgres");
    expect(await checksOf(settings({ DATABASE_URL: url(owner), DATABASE_MIGRATION_URL: elsewhere }))).toMatchObject({
      role: { state: "warn", says: expect.stringContaining("may change the ledger's history") },
      "migration role": { state: "fail", says: expect.stringContaining("leads to another store") },
      connections: {
        state: "warn",
        says: expect.stringMatching(/of 7 connections of the role shop_owner_\w+ are used/),
      },
    });
    await admin.query(`alter role ${owner} connection limit -1; revoke all on migration from ${service}`);
    expect(await checksOf(both())).toMatchObject({
      schema: { state: "fail", todo: expect.stringContaining("DATABASE_MIGRATION_URL") },
      store: { state: "fail" },
    });
    expect((await runCli(["migrate"], both())).code).toBe(0);
  });

  test("a tail that follows ends with 3 where the database refuses its login from now on", async () => {
    const tail = spawnPointkeeper(["tail", "--follow", "--last", "1"], settings({ DATABASE_URL: url(service) }));
    await waitUntil(async () => tail.stdout().includes("\n"));
    await admin.query(`alter role ${service} nologin`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [service]);
    const stderr = expect.stringMatching(/The database cannot be used: .* is not permitted to log in/);
    expect(await tail.ended).toMatchObject({ code: 3, stderr });
    await admin.query(`alter role ${service} login`);
  });

  test("a service that lacks migrations and may not apply them says whose URL is missing", async () => {
    await admin.query("delete from migration where number = (select max(number) from migration)");
    const { code, stderr } = await spawnPointkeeper(["start"], {
      ...settings({ DATABASE_URL: url(service) }),
      PORT: "0",
    }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The database lacks migrations, and the role shop_service_\w+ may not apply them .*DATABASE_MIGRATION_URL/,
    );
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("the embedded server", () => {
  test("is used as the service's role by service and commands, also in a folder of a version that had none", async () => {
    const folder = await makeFolder();
    const dataDir = join(folder.path, "data");
    const env = settings({ POINTKEEPER_DATA_DIR: dataDir });
    await (await spawnService(env)).stop();

    const before = await startEmbeddedServer({ dataDir });
    const db = openPool({ connection: before.connection, connectionsMax: 1 });
    await db.execute(`drop owned by ${SERVICE_ROLE}`);
    await db.execute(`drop role ${SERVICE_ROLE}`);
    await db.close();
    await before.stop();

    const node = await spawnService(env);
    expect(await award(node.url)).toBe(200);
    const beside = await startEmbeddedServer({ dataDir });
    const client = new pg.Client(beside.connection);
    await client.connect();
    const { rows } = await client.query(OTHERS, ["pointkeeper"]);
    expect(rows).toEqual([{ role: SERVICE_ROLE, application: "pointkeeper all" }]);
    const { rows: own } = await client.query("select rolconfig as settings from pg_roles where rolname = $1", [
      SERVICE_ROLE,
    ]);
    expect(own).toEqual([{ settings: ["log_min_messages=log"] }]);
    await client.end();
    await beside.stop();
    expect((await runCli(["verify"], env)).code).toBe(0);
    await node.stop();
    await folder.remove();
  });
});
