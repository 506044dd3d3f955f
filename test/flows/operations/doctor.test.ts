import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder, runCli } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await makeFolder();
  service = await startTestService({
    config: { allowPrivateCallbacks: true },
    now: Temporal.Now.instant().toString(), // as the commands have it
  });
  const topic = "point_balance/update";
  await service.client.post("/api/storefront/webhooks", { topic, callback_url: "http://127.0.0.1:9/nobody" });
  const { host, port, user, database } = service.connection;
  env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    POINTKEEPER_DATA_DIR: join(folder.path, "none"),
  };
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

describe("pointkeeper doctor", () => {
  const statesOf = async (more: Record<string, string> = {}) => {
    const { code, stdout } = await runCli(["doctor", "--json"], { ...env, ...more });
    const { checks } = JSON.parse(stdout);
    return {
      code,
      states: Object.fromEntries(checks.map((check: { name: string; state: string }) => [check.name, check.state])),
    };
  };

  test("finds a secret key that opens nothing, and then nothing wrong", async () => {
    const wrong = await statesOf({ POINTKEEPER_SECRET_KEY: "a key that never sealed anything, 0123" });
    expect([wrong.code, wrong.states["stored secrets"]]).toEqual([1, "fail"]);
    await waitUntil(async () => (await service.deps.db.query("select from job_run")).length > 0);
    const { code, states } = await statesOf();
    expect(states).toMatchObject({
      database: "ok",
      schema: "ok",
      durability: "ok",
      pooler: "ok",
      clock: "ok",
      worker: "ok",
    });
    expect(states).toMatchObject({ "stored secrets": "ok", jobs: "ok", receivers: "ok", deliveries: "ok" });
    expect([code, Object.values(states).includes("fail")]).toEqual([0, false]);
  });

  test("finds a dead receiver, a worker that is silent, a database that is unsafe, and a setting that is misspelt", async () => {
    const db = service.owner;
    await db.execute("update subscription set failures = 1000");
    await db.execute("update job_run set started_at = started_at - interval '1 hour'");
    await db.execute(`alter database ${service.connection.database} set synchronous_commit = off`);
    const { code, states } = await statesOf({ POINTKEEPER_PROXYS: "1" });
    expect(states).toMatchObject({ receivers: "fail", worker: "fail", durability: "fail", settings: "warn" });
    expect(code).toBe(1);
  });

  test("finds a place of the backups that cannot be reached, or written", async () => {
    const bucket = { AWS_ENDPOINT_URL: "http://127.0.0.1:9", AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const away = await statesOf({ ...bucket, POINTKEEPER_BACKUP_DIR: "s3://of-the-tests/backups" });
    const unwritable = await statesOf({ POINTKEEPER_BACKUP_DIR: "/proc/backups" });
    const places = { POINTKEEPER_CHECKPOINT_DIR: "/proc/checkpoints", POINTKEEPER_REPORTS_DIR: "/proc/reports" };
    const others = await statesOf(places);
    expect(others.states).toMatchObject({ "checkpoint place": "fail", "reports folder": "fail" });
    const held = await statesOf({ POINTKEEPER_CHECKPOINT_DIR: folder.path, POINTKEEPER_REPORTS_DIR: folder.path });
    expect(held.states).toMatchObject({ "checkpoint place": "ok", "reports folder": "ok" });
    expect([away, unwritable].map(({ code, states }) => [code, states["backup place"]])).toEqual([
      [1, "fail"],
      [1, "fail"],
    ]);
  });

  test("knows how many connections a process opens, and whether COMMIT waits for a standby", async () => {
    let said = "";
    const checksOf = async (more: Record<string, string>) => {
      const { stdout, stderr } = await runCli(["doctor", "--json"], { ...env, ...more });
      said = stderr;
      return new Map<string, { state: string; says: string }>(
        JSON.parse(stdout).checks.map((check: { name: string }) => [check.name, check]),
      );
    };
    const few = await checksOf({});
    expect(few.get("connections")?.says).toContain("opens up to 12");
    expect(few.get("standbys")).toMatchObject({ state: "ok", says: expect.stringContaining("may lose") });
    const provider = { POINTKEEPER_OIDC_ISSUER: "http://127.0.0.1:9", POINTKEEPER_OIDC_CLIENT_ID: "points" };
    const many = await checksOf({ POINTKEEPER_POOL_SIZE: "400", ...provider });
    expect(many.get("identity provider")).toMatchObject({ state: "fail", says: expect.stringContaining(":9") });
    expect(said).toMatch(/does not describe itself.*"reason":"bad port"/); // not "fetch failed"
    expect(many.get("connections")).toMatchObject({ state: "warn", says: expect.stringContaining("opens up to 400") });
  });

  test("reports a database that is away once, and settings that cannot be used", async () => {
    const away = await statesOf({ DATABASE_URL: "postgres://127.0.0.1:1/none" });
    expect([away.code, away.states["database"], away.states["schema"]]).toEqual([1, "fail", undefined]);
    const wrong = await statesOf({ PORT: "high" });
    expect(wrong).toMatchObject({ code: 1, states: { settings: "fail", database: "fail" } });
  });
});
