import { connect, createServer, type Socket } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildHealthApp } from "../../../src/app.ts";
import { createDraining } from "../../../src/http/draining.ts";
import { createLog } from "../../../src/log.ts";
import { watchDatabase } from "../../../src/start/watch-database.ts";
import { startCuttingProxy } from "../../support/cutting-proxy.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { runCli, spawnPointkeeper, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

const CREDENTIAL = { key: "pk_external", secret: "secret-of-the-external-0123456789abcdef01" };

function settings({ connection }: TestDatabase): Record<string, string> {
  const { host, port, user, database } = connection;
  return {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  };
}

describe("a database that takes no writes: a standby, or a provider's guard of a full disk", () => {
  let database: TestDatabase;
  let service: TestService;
  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestService({ database, worker: false, logLevel: "error" });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  /** As it reaches sessions in production: those that are open are ended. */
  async function setReadOnly(value: "on" | "off"): Promise<void> {
    const name = database.connection.database;
    const admin = new pg.Client({ ...database.ownerConnection, database: "postgres" });
    await admin.connect();
    await admin.query(`alter database ${name} set default_transaction_read_only = ${value}`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    await admin.end();
  }

  const award = () => service.client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 1 });
  const ready = async () => (await service.client.get("/ready")).status;

  test("one that is silent, as a machine that hangs, makes the service not ready within a probe's time, with a line", async () => {
    const silent = { ...service.deps.db, tx: () => new Promise<never>(() => {}) };
    const lines: string[] = [];
    const log = createLog({ level: "info", pretty: true, write: (line) => void lines.push(line) });
    const stop = watchDatabase({ db: silent, log });
    const scrape = async () => ({ contentType: "text/plain", text: "" });
    const app = buildHealthApp({ ...service.deps, db: silent }, createDraining(), scrape);
    expect((await app.inject("/ready")).statusCode).toBe(503);
    await app.close();
    await waitUntil(() => lines.join("").includes("the database does not answer in time"));
    await stop();
  });

  test("is 503 with Retry-After, the service is not ready, and both end by themselves", async () => {
    await service.client.put("/api/storefront/customers/c1", {});
    expect([(await award()).status, await ready()]).toEqual([200, 200]);
    await setReadOnly("on");
    await waitUntil(async () => (await ready()) === 503);
    for (let n = 0; n < 3; n++) {
      const refused = await award();
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([503, true]);
    }
    const set = await service.client.put("/api/storefront/customers/c1", { name: "C" });
    expect(set.status).toBe(503);
    expect((await service.client.get("/health")).status).toBe(200);
    await setReadOnly("off");
    await waitUntil(async () => (await ready()) === 200);
    await waitUntil(async () => (await award()).status === 200);
  });
});

describe("an external database that may lose what it acknowledged", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("is refused at the start, as the service's own sessions see it, unless a setting allows it", async () => {
    const name = database.connection.database;
    await database.owner.execute(`alter database ${name} set synchronous_commit = off`);
    const env = settings(database);
    const { code, stderr } = await spawnPointkeeper(["start"], { ...env, PORT: "0" }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The database of DATABASE_URL has synchronous_commit off: .*POINTKEEPER_ALLOW_UNSAFE_DATABASE=1/,
    );
    expect(stderr.trim().split("\n")).toHaveLength(1);
    await (await spawnService({ ...env, POINTKEEPER_ALLOW_UNSAFE_DATABASE: "1" })).stop();
    await database.owner.execute(`alter database ${name} reset synchronous_commit`);
    await (await spawnService(env)).stop();
    expect((await runCli(["verify"], env)).code).toBe(0);
  });
});

test("an empty database that is refused stays empty", async () => {
  const empty = await createEmptyDatabase();
  const admin = new pg.Client(empty.connection);
  await admin.connect();
  try {
    await admin.query(`alter database ${empty.connection.database} set synchronous_commit = off`);
    const env = { DATABASE_URL: empty.url, POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789", PORT: "0" };
    const { code, stderr } = await spawnPointkeeper(["start"], env).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("has synchronous_commit off")]);
    const { rows } = await admin.query("select relname from pg_class where relnamespace = 'public'::regnamespace");
    expect(rows).toEqual([]);
  } finally {
    await admin.end();
    await empty.drop();
  }
});

describe("an external database that does not answer yet", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test("is waited for at the start, and when it is lost later, with a line that says so and one at its return", async () => {
    const port = await freePort();
    const { host, port: serverPort, user, database: name } = database.connection;
    const env = { ...settings(database), DATABASE_URL: `postgresql://${user}@127.0.0.1:${port}/${name}`, PORT: "0" };
    const service = spawnPointkeeper(["start"], env);
    await waitUntil(() => service.stdout().includes("the database is not responding yet"));
    const open = new Set<Socket>();
    const proxy = createServer((client) => {
      const upstream = connect(`${host}/.s.PGSQL.${serverPort}`);
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) open.add(socket.on("error", () => {}));
    });
    proxy.listen(port, "127.0.0.1");
    await waitUntil(() => service.stdout().includes("running at"));
    proxy.close();
    for (const socket of open) socket.destroy();
    await waitUntil(() => service.stdout().includes("the database does not answer in time"));
    proxy.listen(port, "127.0.0.1");
    await waitUntil(() => service.stdout().includes("the database accepts writes again"));
    expect(service.stdout().split("does not answer in time")).toHaveLength(2);
    service.child.kill("SIGINT");
    expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
    proxy.close();
  });
});

test("a start whose connections are cut begins again, and what it had written counts once", async () => {
  const database = await createTestDatabase();
  const proxy = await startCuttingProxy(database.connection);
  try {
    const { port, user, database: name } = proxy.connection;
    const url = `postgresql://${user}@127.0.0.1:${port}/${name}`;
    proxy.cutCommits(1);
    const service = await spawnService({ ...settings(database), DATABASE_URL: url, PORT: "0" });
    expect([proxy.cuts(), service.stdout().split("the database was lost during the start").length - 1]).toEqual([1, 1]);
    expect((await fetch(`${service.url}/ready`)).status).toBe(200);
    expect(await database.owner.query("select count(*)::int as count from credential")).toEqual([{ count: 1 }]);
    expect((await service.stop()).code).toBe(0);
  } finally {
    await proxy.close();
    await database.drop();
  }
});
