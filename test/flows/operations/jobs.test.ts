import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectHealth } from "../../../src/alerts/health-queries.ts";
import type { Job, JobReport } from "../../../src/jobs/job.ts";
import { selectJobReports, selectJobStates } from "../../../src/jobs/job-queries.ts";
import { nextDayAt } from "../../../src/jobs/next-day-at.ts";
import { runJob } from "../../../src/jobs/run-job.ts";
import { runJobs } from "../../../src/jobs/run-jobs.ts";
import { createLog } from "../../../src/log.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { runCli } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
beforeAll(async () => {
  // midnight in Tokyo is 15:00 UTC
  service = await startTestService({ worker: false, now: "2026-03-01T15:00:00Z", log: () => {} });
});
afterAll(() => service.stop());

let count = 0;

function job(run: Job["run"], timing?: Job["timing"]): Job {
  const daily: Job["timing"] = { by: "store", nextAt: nextDayAt, workAt: async () => service.clock.now() };
  return { name: `job ${++count}`, timing: timing ?? daily, run };
}

async function reportOf({ name }: Job): Promise<JobReport> {
  const report = (await selectJobReports(service.deps.db)).get(name);
  if (report === undefined) throw new Error(`${name} never ran`);
  return report;
}

describe("a job of the store's time", () => {
  test("runs once a day of the store, and its last run is kept", async () => {
    service.clock.set("2026-03-01T15:00:00Z");
    const daily = job(async () => 7);
    expect(await runJob(service.deps, daily)).toBe(true);
    expect(await runJob(service.deps, daily)).toBe(false);
    service.clock.set("2026-03-02T14:59:59.999999Z");
    expect(await runJob(service.deps, daily)).toBe(false);
    service.clock.set("2026-03-02T15:00:00Z");
    expect(await runJob(service.deps, daily)).toBe(true);
    expect(await reportOf(daily)).toMatchObject({
      runs: 2n,
      failures: 0n,
      items: 14n,
      lastItems: 7n,
      outcome: "done",
      error: null,
    });
  });

  test("that was missed is made up, once, as soon as something runs again", async () => {
    service.clock.set("2026-03-01T15:00:00Z");
    const times: string[] = [];
    const daily = job(async (deps) => times.push(deps.clock.now().toString()));
    await runJob(service.deps, daily);
    service.clock.set("2026-03-05T02:00:00Z");
    expect(await runJob(service.deps, daily)).toBe(true);
    expect(await runJob(service.deps, daily)).toBe(false);
    expect(times).toEqual(["2026-03-01T15:00:00Z", "2026-03-05T02:00:00Z"]);
    service.clock.set("2026-03-05T15:00:00Z");
    expect(await runJob(service.deps, daily)).toBe(true);
  });

  test("runs again soon after a clock that was ahead for a while", async () => {
    const forms: Job[] = [job(async () => 1), job(async () => 1, { by: "machine", everyMs: 3_600_000 })];
    for (const each of forms) {
      service.clock.set("2027-03-01T15:00:00Z");
      expect(await runJob(service.deps, each)).toBe(true);
      service.clock.set("2026-03-01T15:00:00Z");
      expect((await runJob(service.deps, each)) === (each.timing.by === "store")).toBe(true);
      const late = "clock_timestamp() + interval '1 year'";
      await service.deps.db.execute(
        `update job set ready_at = ${late}, lease_until = ${late}, done_at = $2 where name = $1`,
        [each.name, Temporal.Instant.from("2027-03-01T15:00:00Z")],
      );
      expect(await runJob(service.deps, each)).toBe(true);
      expect(await runJob(service.deps, each)).toBe(false);
    }
  });

  test("that fails keeps its error, waits, and stays due until it was done", async () => {
    let isBroken = true;
    const daily = job(async () => {
      if (isBroken) throw new Error("the cable is cut");
      return 1;
    });
    expect(await runJob(service.deps, daily)).toBe(false);
    expect(await reportOf(daily)).toMatchObject({
      runs: 1n,
      failures: 1n,
      outcome: "failed",
      error: "the cable is cut",
      doneAt: null,
    });
    isBroken = false;
    expect(await runJob(service.deps, daily)).toBe(false); // its pause
    await service.deps.db.execute("update job set ready_at = '-infinity' where name = $1", [daily.name]);
    expect(await runJob(service.deps, daily)).toBe(true);
    expect(await reportOf(daily)).toMatchObject({ runs: 2n, failures: 1n, outcome: "done", error: null });
  });
});

describe("of many nodes", () => {
  test("one runs a job", async () => {
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const slow = job(async () => {
      begun.resolve();
      await mayEnd.promise;
      return 1;
    });
    const nodes = Array.from({ length: 8 }, () => runJob(service.deps, slow));
    await begun.promise;
    expect(await runJob(service.deps, slow)).toBe(false);
    mayEnd.resolve();
    expect((await Promise.all(nodes)).filter((did) => did)).toHaveLength(1);
    expect(await reportOf(slow)).toMatchObject({ runs: 1n });
  });

  test("one that lost its lease stops and reports nothing; the work is done by the next", async () => {
    const begun = Promise.withResolvers<void>();
    const slow = job(async (_deps, signal) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return 99;
    });
    const first = runJob(service.deps, slow, { leaseMs: 200 });
    await begun.promise;
    // as after a pause of the whole node: another one found the lease over
    await service.deps.db.execute("update job set lease_uid = $2, lease_until = '-infinity' where name = $1", [
      slow.name,
      service.deps.random.uid(),
    ]);
    expect(await first).toBe(false);
    expect(await runJob(service.deps, { ...slow, run: async () => 5 })).toBe(true);
    expect(await reportOf(slow)).toMatchObject({ runs: 1n, items: 5n, lastItems: 5n });
  });

  test("a run that is longer than its lease keeps it", async () => {
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const slow = job(async () => {
      begun.resolve();
      await mayEnd.promise;
      return 1;
    });
    const first = runJob(service.deps, slow, { leaseMs: 2_000 }); // of which a pause of the machine may take more than half
    await begun.promise;
    const [lease] = await service.deps.db.query<{ until: Temporal.Instant }>(
      "select lease_until as until from job where name = $1",
      [slow.name],
    );
    await waitUntil(async () => {
      const [row] = await service.deps.db.query<{ isOver: boolean }>('select clock_timestamp() > $1 as "isOver"', [
        lease?.until ?? null,
      ]);
      return row?.isOver === true;
    });
    expect(await runJob(service.deps, slow)).toBe(false);
    mayEnd.resolve();
    expect(await first).toBe(true);
  });
});

describe("a worker", () => {
  test("runs what is due, a machine's job after each pause, and stops in the middle of a run when asked", async () => {
    const ending = new AbortController();
    let runs = 0;
    const often = job(async () => ++runs, { by: "machine", everyMs: 1 });
    const endless = job(async (_deps, signal) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return 3;
    });
    const ended = runJobs(service.deps, [often, endless], ending.signal);
    await waitUntil(() => runs >= 2);
    expect(await reportOf(endless)).toMatchObject({ isRunning: true, outcome: null });
    ending.abort();
    await ended;
    expect(await reportOf(endless)).toMatchObject({
      isRunning: false,
      outcome: "stopped",
      lastItems: 3n,
      doneAt: null,
    });
    expect(await runJob(service.deps, { ...endless, run: async () => 4 })).toBe(true); // left to the next at once
  });

  test("logs an error of a run that is being stopped, unless it is the stop itself", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "warn", pretty: false, write: (line) => lines.push(line) });
    const failing = (error: (signal: AbortSignal) => unknown) => {
      const ending = new AbortController();
      const stopped = job(async (_deps, signal) => {
        ending.abort();
        throw error(signal);
      });
      return runJob({ ...service.deps, log }, stopped, { signal: ending.signal });
    };
    await failing((signal) => signal.reason);
    await failing((signal) => new Error("the bucket cannot be reached", { cause: signal.reason }));
    expect(lines).toEqual([]);
    await failing(() => new TypeError("of a bug"));
    expect(lines).toEqual([expect.stringMatching(/"a job failed while it was stopped".*/)]);
    expect(lines.join("")).toContain("of a bug");
  });

  test("does not leave a job late that only another release has, which is gone", async () => {
    const { db } = service.deps;
    await db.execute(
      "insert into job (name, ready_at, failures_in_row) values ('of another release', now() - interval '1 day', 3)",
    );
    await db.execute("insert into job_plan (name, position, timing) values ('of another release', 99, 'machine')");
    const troubled = async () => (await selectHealth(db, service.clock.now(), false)).jobsTroubled;
    expect(await troubled()).toContain("of another release");
    const ending = new AbortController();
    const run: Job["run"] = async () => {
      ending.abort();
      return 1;
    };
    await runJobs(service.deps, [job(run, { by: "machine", everyMs: 1 })], ending.signal);
    expect(await troubled()).not.toContain("of another release");
  });
});

test("a job that a person asks for runs, also where a clock that was ahead began its last run", async () => {
  const { db, random } = service.deps;
  const asked = job(async () => 1, { by: "machine", everyMs: 0 });
  await db.execute(
    `insert into job_run (uid, job, business_at, started_at) values ($1, $2, now(), now() + interval '1 year')`,
    [random.uid(), asked.name],
  );
  await db.execute("insert into job_request (job, requested_at) values ($1, clock_timestamp())", [asked.name]);
  expect((await selectJobStates(db)).get(asked.name)).toMatchObject({ isAsked: true });
  expect(await runJob(service.deps, asked)).toBe(true);
  expect((await selectJobStates(db)).get(asked.name)).toMatchObject({ isAsked: false });
  // What was asked for by that clock would otherwise run again and again until then.
  await db.execute("update job_request set requested_at = now() + interval '364 days' where job = $1", [asked.name]);
  expect((await selectJobStates(db)).get(asked.name)).toMatchObject({ isAsked: false });
});

test("of the runs of a job the newest 100 are kept", async () => {
  const often = job(async () => 1, { by: "machine", everyMs: 0 });
  for (let n = 0; n < 105; n++) expect(await runJob(service.deps, often)).toBe(true);
  const [kept] = await service.deps.db.query("select count(*)::int as count from job_run where job = $1", [often.name]);
  expect(kept).toEqual({ count: 100 });
  expect(await reportOf(often)).toMatchObject({ runs: 105n });
});

test("pointkeeper jobs shows every job with its last run", async () => {
  const { host = "", port = 0, user = "", database = "" } = service.connection;
  const env = {
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the tests, 0123456789",
  };
  const before = await runCli(["jobs"], env);
  expect(before.stdout).toMatch(/^expire points +never +\d{4}-\d\d-\d\dT/m);
  const { JOBS } = await import("../../../src/jobs/schedule.ts");
  const [sweep] = JOBS;
  if (sweep === undefined) throw new Error("there is no job");
  expect(await runJob(service.deps, sweep)).toBe(true);
  const after = await runCli(["jobs"], env);
  expect(after.stdout).toMatch(/^expire points +\d{4}-\S+Z +0\.\d s +0 +done +\S+ +1 +0 +0$/m);
});

describe("the sandbox's clock", () => {
  test("stops at the starts of days at which points expire, and at no others", async () => {
    const sandbox = await startTestService({ config: { sandbox: true } });
    const { client } = sandbox;
    const API = "/api/storefront";
    await client.put("/sandbox/clock", { now: "2099-01-10T00:30:00Z" });
    await client.put(`${API}/customers/1`, { email: "a@example.com" });
    await client.post(`${API}/point_allotments`, { customer_id: "1", point_value: 50 });
    const answer = await client.put("/sandbox/clock", { now: "2110-01-01T00:00:00Z" });
    expect(answer.status).toBe(200);
    const list = await client.get(`${API}/point_allotments/1?direction=desc`);
    // 12 months later, at the start of the store's next day: not when the clock was set
    const start = "2100-01-10T15:00:00.000000";
    // A reader may have moved the settled mark to that very instant, and an allotment comes after it.
    const next = "2100-01-10T15:00:00.000001";
    expect(list.body.data[0]).toMatchObject({
      type: "expiration",
      point_value: -50,
      allotted_at: expect.toBeOneOf([start, next]),
    });
    const [runs] = await sandbox.deps.db.query<{ count: number }>(
      "select count(*)::int as count from job_run where job = 'expire points'",
    );
    expect(runs?.count).toBeLessThan(20);
    await sandbox.stop();
  });
});
