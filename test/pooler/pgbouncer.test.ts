import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../support/client.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { runCli, spawnPointkeeper, spawnService } from "../support/service-process.ts";
import { type Pooler, startPgbouncer } from "./pgbouncer.ts";

const CREDENTIAL = { key: "pk_pooler", secret: "secret-of-the-pooler-0123456789abcdef01234" };
const API = "/api/storefront";
const LANES = 24;
const AWARDS = 15;

describe("PgBouncer between the service and its database", { timeout: 180_000 }, () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let bare: Pooler;
  beforeAll(async () => {
    database = await createTestDatabase();
    const name = database.connection.database;
    await database.owner.execute(`alter database ${name} set timezone = 'Asia/Tokyo'`); // else it is as wished by itself
    pooler = await startPgbouncer(database, { mode: "transaction", dropsOptions: true });
    bare = await startPgbouncer(database, { mode: "transaction" });
  });
  afterAll(async () => {
    await pooler.stop();
    await bare.stop();
    await database.drop();
  });

  const settings = (url: string, more: Record<string, string> = {}) => ({
    DATABASE_URL: url,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    ...more,
  });
  const TRANSACTION = { POINTKEEPER_POOLER: "transaction" };

  async function refusedStart(env: Record<string, string>): Promise<string> {
    const { code, stderr } = await spawnPointkeeper(["start"], { ...env, PORT: "0" }).ended;
    expect(code).toBe(1);
    return stderr.trim();
  }

  test("that no setting names is refused at the start, be its options dropped or not", async () => {
    for (const { url } of [bare, pooler]) {
      const line = await refusedStart(settings(url));
      expect(line).toMatch(/^A pooler .* is between this service and the database .*POINTKEEPER_POOLER/);
      expect(line.split("\n")).toHaveLength(1);
    }
  });

  test("is refused while the role has not the settings that a session's start cannot bring", async () => {
    const lines = (await refusedStart(settings(bare.url, TRANSACTION))).split("\n");
    expect(lines).toHaveLength(4);
    for (const statement of lines.slice(1)) {
      expect(statement).toMatch(/^alter role pointkeeper_service in database test_\w+ set \w+ = '\w+';$/);
      await database.owner.execute(statement);
    }
    await bare.stop(); // it keeps a time zone that it saw once
    bare = await startPgbouncer(database, { mode: "transaction" });
  });

  test("in transaction mode serves as the database itself does", async () => {
    const service = await spawnService(settings(bare.url, { ...TRANSACTION, LOG_LEVEL: "warn" }));
    const client = createClient(service.url, `Bearer ${CREDENTIAL.secret}`);
    const ids = Array.from({ length: LANES }, (_, i) => `c${i}`);
    for (const id of ids) expect((await client.put(`${API}/customers/${id}`, {})).status).toBe(201);
    const statuses = await Promise.all(
      ids.flatMap((id) =>
        Array.from({ length: AWARDS }, async () => {
          const body = { customer_id: id, point_value: 3 };
          return (await client.post(`${API}/point_allotments`, body)).status;
        }),
      ),
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    for (const id of ids) {
      const { body } = await client.get(`${API}/point_balances/${id}`);
      expect(body.data.point_balance).toBe(3 * AWARDS);
    }
    expect((await client.get(`${API}/point_allotments?per_page=50`)).body.data).toHaveLength(50);
    expect((await runCli(["verify"], settings(bare.url, TRANSACTION))).code).toBe(0);
    const { code, stderr } = await service.stop();
    expect([code, stderr]).toEqual([0, ""]);
    expect(service.stdout()).not.toContain('"level":"error"');
  });

  test("is what doctor finds: nothing to do where the setting names it", async () => {
    const found = async (more: Record<string, string>) => {
      const { stdout } = await runCli(["doctor", "--json"], settings(bare.url, more));
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "pooler");
    };
    expect(await found(TRANSACTION)).toMatchObject({ state: "ok" });
    expect(await found({})).toMatchObject({ state: "fail", todo: expect.stringContaining("POINTKEEPER_POOLER") });
  });

  test("by statement is refused, whatever the setting says", async () => {
    const byStatement = await startPgbouncer(database, { mode: "statement" });
    for (const mode of ["transaction", "session"])
      expect(await refusedStart(settings(byStatement.url, { POINTKEEPER_POOLER: mode }))).toMatch(
        /lends connections by statement .* Set pool_mode to transaction or session/,
      );
    await byStatement.stop();
  });

  test("in transaction mode is refused where the setting says session: prepared statements would be mixed up", async () => {
    expect(await refusedStart(settings(bare.url, { POINTKEEPER_POOLER: "session" }))).toMatch(
      /^POINTKEEPER_POOLER is session, but the pooler .* by transaction/,
    );
  });

  test("in transaction mode the start of a new store names the setting for migrations", async () => {
    const empty = await createEmptyDatabase();
    for (const [name, value] of [
      ["timezone", "UTC"],
      ["lock_timeout", "10s"],
      ["idle_in_transaction_session_timeout", "30s"],
    ])
      await database.owner.execute(`alter database ${empty.connection.database} set ${name} = '${value}'`);
    const pooled = await startPgbouncer(empty, { mode: "transaction" });
    expect(await refusedStart(settings(pooled.url, TRANSACTION))).toMatch(
      /lacks \d+ migrations.*DATABASE_MIGRATION_URL/,
    );
    await pooled.stop();
    await empty.drop();
  });

  test("migrates through the database itself only", async () => {
    const refused = await runCli(["migrate"], settings(bare.url, TRANSACTION));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("DATABASE_MIGRATION_URL")]);
    const { user, host, port, database: name } = database.ownerConnection;
    const direct = `postgresql://${user}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
    const env = settings(bare.url, { ...TRANSACTION, DATABASE_MIGRATION_URL: direct });
    expect(await runCli(["migrate"], env)).toMatchObject({ code: 0, stdout: expect.stringContaining("up to date") });
  });

  test("in session mode serves with prepared statements", async () => {
    const session = await startPgbouncer(database, { mode: "session" });
    const service = await spawnService(settings(session.url, { POINTKEEPER_POOLER: "session" }));
    const client = createClient(service.url, `Bearer ${CREDENTIAL.secret}`);
    const body = { customer_id: "c0", point_value: 1 };
    expect((await client.post(`${API}/point_allotments`, body)).status).toBe(200);
    await service.stop();
    await session.stop();
  });
});
