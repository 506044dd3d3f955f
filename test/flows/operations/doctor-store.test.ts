import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder, makeUsedData, runCli } from "../../support/service-process.ts";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly says: string;
  readonly todo?: string;
}

let service: TestService;
beforeAll(async () => {
  // no worker: what is planted stays as it is
  service = await startTestService({ worker: false, now: Temporal.Now.instant().toString() });
  const topic = "point_balance/update";
  await service.client.post("/api/storefront/webhooks", { topic, callback_url: "http://127.0.0.1:9/nobody" });
  const event = {
    type: "OrderFulfilled",
    payload: { order_id: "none", fulfillment: { fulfillment_id: "1", lines: [] } },
  };
  expect((await service.client.post("/intake/events", event)).status).toBe(202);
});
afterAll(() => service.stop());

async function checksOf(env: Record<string, string>): Promise<{ code: number | null; checks: Map<string, Check> }> {
  const { code, stdout } = await runCli(["doctor", "--json"], env);
  const checks: readonly Check[] = JSON.parse(stdout).checks;
  return { code, checks: new Map(checks.map((check) => [check.name, check])) };
}

const ofService = (role = service.connection.user) => {
  const { host, port, database } = service.connection;
  return {
    DATABASE_URL: `postgresql://${role}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    POINTKEEPER_DATA_DIR: "/nonexistent",
    POINTKEEPER_BACKUP_DIR: "/dev/shm/none",
  };
};

const PLANTED: readonly string[] = [
  `insert into job_run (uid, job, business_at, started_at)
   values ('019ca8e7-0000-7000-8000-000000000002', 'of a clock that was ahead', now(), now() + interval '1 year')`,
  `insert into job_run (uid, job, business_at, started_at, ended_at, outcome, error)
   values ('019ca8e7-0000-7000-8000-000000000001', 'expire points', now(), now() - interval '1 hour', now(), 'failed', 'planted')`,
  "insert into job_plan (name, position, timing) values ('expire points', 1, 'machine')",
  "insert into job (name, failures_in_row) values ('expire points', 2) on conflict (name) do update set failures_in_row = 2",
  "update receipt set state = 'failed', note = 'planted'",
  `with event as (
     insert into outbox_event (bucket, uid, topic, payload)
     values (3, gen_random_uuid(), 'point_balance/update', '{}')
     returning bucket, uid)
   insert into delivery (bucket, uid, subscription_uid, state, attempts, due_at)
   select e.bucket, e.uid, s.uid, 'failed', 21, now() from event e, subscription s`,
  `insert into backup_run (uid, cause, kind, place, started_at, ended_at, error)
   values (gen_random_uuid(), 'schedule', 'logical', '/full', now(), now(), 'ENOSPC: no space left on device')`,
  `update self_check set breaches = '["chains: customer c1: planted"]'`,
  "update subscription set failures = 5",
  "update ledger_mark set floor_at = now() + interval '1 day'",
];

test("doctor finds what is wrong in a store, and says what to do about each", async () => {
  for (const statement of PLANTED) expect(await service.owner.execute(statement)).toBe(1);
  const { code, checks } = await checksOf(ofService());
  expect(code).toBe(1);
  const found = (name: string) => {
    const { state, says, todo } = checks.get(name) ?? {};
    return [state, says, todo];
  };
  const containing = (text: string) => expect.stringContaining(text);
  expect(found("worker")).toEqual(["fail", containing("the last job began 1 h"), containing("--role worker")]);
  expect(found("jobs")).toEqual(["fail", "the last run of expire points failed", containing("pointkeeper jobs")]);
  expect(found("received events")).toEqual(["warn", "1 could not be processed", containing("intake stuck")]);
  expect(found("deliveries")).toEqual(["warn", "1 failed after all retries", containing("webhooks replay all")]);
  expect(found("backup")).toEqual(["fail", containing("ENOSPC"), containing("docs/backup.md")]);
  expect(found("ledger")).toEqual([
    "fail",
    "1 breaches: chains: customer c1: planted",
    containing("pointkeeper verify"),
  ]);
  expect(found("receivers")).toEqual([
    "fail",
    containing("wait and are retried (point_balance/update)"),
    containing("webhooks receivers"),
  ]);
  const { stdout } = await runCli(["webhooks", "receivers", "--json"], ofService());
  expect(JSON.parse(stdout).receivers).toMatchObject([{ topic: "point_balance/update", state: "dead" }]);
  expect(found("ledger time")).toEqual(["warn", containing("for another 23 h"), containing("NTP")]);
  expect(found("program")).toEqual(["warn", containing("stand-in"), containing("program apply")]);
  for (const { name, state, todo } of checks.values())
    expect([name, state === "ok" || todo !== undefined]).toEqual([name, true]);
});

test("doctor finds a superuser as the service's role, and a schema that is older", async () => {
  await service.owner.execute("delete from migration where number = (select max(number) from migration)");
  const { checks } = await checksOf(ofService(service.database.ownerConnection.user));
  expect(checks.get("role")).toMatchObject({ state: "warn", says: expect.stringContaining("is a superuser") });
  expect(checks.get("schema")).toMatchObject({
    state: "fail",
    says: expect.stringMatching(/it lacks 1 migration, from \d{4}_\w+\.sql on$/),
    todo: "pointkeeper migrate",
  });
  expect(checks.get("store")).toMatchObject({ state: "fail", says: expect.stringContaining("not checked") });
});

test("doctor reports a secret key that is missing or damaged once, and a backup on the disk of the store", async () => {
  const [folder, used] = await Promise.all([makeFolder(), makeUsedData({})]);
  const dataDir = join(folder.path, "data");
  await used.copyTo(dataDir);
  await rm(join(dataDir, "secret.key"));
  const { code, checks } = await checksOf({ POINTKEEPER_DATA_DIR: dataDir });
  const fails = [...checks.values()].filter(({ state }) => state === "fail").map(({ name }) => name);
  expect([code, fails]).toEqual([1, ["secret key"]]);
  await writeFile(join(dataDir, "secret.key"), "cut", { mode: 0o600 });
  const damaged = await checksOf({
    POINTKEEPER_DATA_DIR: dataDir,
    POINTKEEPER_BACKUP_DIR: join(folder.path, "copies"),
  });
  const states = ["secret key", "database", "stored secrets", "backup place"].map((name) => damaged.checks.get(name));
  expect(states.map((check) => check?.state)).toEqual(["fail", "ok", undefined, "warn"]);
  expect(states[0]?.says).toContain("is damaged: it holds no key");
  expect(states[3]?.says).toContain("on the disk of the store");
  await Promise.all([folder.remove(), used.remove()]);
});
