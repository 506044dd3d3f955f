import { afterAll, beforeAll, expect, test } from "vitest";
import { selectHealth } from "../../../src/alerts/health-queries.ts";
import type { Job } from "../../../src/jobs/job.ts";
import { selectJobStates } from "../../../src/jobs/job-queries.ts";
import { nextDayAt } from "../../../src/jobs/next-day-at.ts";
import { runJob } from "../../../src/jobs/run-job.ts";
import { runJobs } from "../../../src/jobs/run-jobs.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
const lines: string[] = [];
beforeAll(async () => {
  service = await startTestService({ worker: false, log: (line) => lines.push(line) });
});
afterAll(() => service.stop());

const daily: Job["timing"] = { by: "store", nextAt: nextDayAt, workAt: async () => service.clock.now() };

test("a job whose next time cannot be computed keeps no other from running, and is named and late", async () => {
  let isFine = true;
  const done: string[] = [];
  const nextAt: typeof nextDayAt = async (...given) => {
    if (isFine) return nextDayAt(...given);
    throw new RangeError("a year that is none");
  };
  const jobs: Job[] = [
    { name: "poisoned", timing: { ...daily, nextAt }, run: async () => done.push("poisoned") },
    { name: "healthy", timing: daily, run: async () => done.push("healthy") },
  ];
  const runUntil = async (isOver: () => boolean | Promise<boolean>) => {
    const ending = new AbortController();
    const running = runJobs(service.deps, jobs, ending.signal);
    await Promise.race([running, waitUntil(isOver)]).finally(() => ending.abort());
    await running;
  };
  await runUntil(() => done.length === 2);
  isFine = false;
  service.clock.advance({ hours: 48 });
  const troubled = async () => (await selectHealth(service.deps.db, service.clock.now(), false)).jobsTroubled.join();
  await runUntil(async () => done.length === 3 && (await troubled()) === "poisoned");
  service.clock.advance({ hours: 24 });
  await runUntil(() => done.length === 4); // begins with a poll
  expect(done).toEqual(["poisoned", "healthy", "healthy", "healthy"]);
  expect(lines.join("\n")).toMatch(/it cannot be said whether a job is due[\s\S]*a year that is none/);
  expect(lines.filter((line) => line.includes("it cannot be said"))).toHaveLength(1);
});

test("a requested job runs once, although a clock that was ahead left more runs than are kept", async () => {
  const job: Job = { name: "asked", timing: { by: "machine", everyMs: 3_600_000 }, run: async () => 1 };
  expect(await runJob(service.deps, job)).toBe(true);
  await service.owner.execute(
    `insert into job_run (uid, job, business_at, started_at, ended_at, outcome, items)
     select ('01ffffff-ffff-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'asked', at, at, at, 'done', 0
     from (select n, clock_timestamp() + interval '1 year' as at from generate_series(1, 150) n) t`,
  );
  await service.owner.execute("insert into job_request (job, requested_at) values ('asked', clock_timestamp())");
  expect(await runJob(service.deps, job)).toBe(true);
  expect((await selectJobStates(service.deps.db)).get("asked")).toMatchObject({ isAsked: false, isFree: false });
  expect(await runJob(service.deps, job)).toBe(false);
});
