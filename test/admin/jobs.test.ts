import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let manager: AdminClient;
let viewer: AdminClient;

beforeAll(async () => {
  service = await startTestService();
  [manager, viewer] = [await signIn(service, "manager"), await signIn(service, "viewer")];
});
afterAll(() => service.stop());

const jobOf = async (name: string) => (await viewer.get(`/jobs/${encodeURIComponent(name)}`)).body.data;
const run = (client: AdminClient, name: string) => client.post(`/jobs/${encodeURIComponent(name)}/run`, {});

test("the schedule is listed with the last run of each", async () => {
  const isDone = (job: { name: string; outcome: string }) => job.name === "expire points" && job.outcome === "done";
  await waitUntil(async () => (await viewer.get("/jobs")).body.data.some(isDone));
  const { data } = (await viewer.get("/jobs")).body;
  expect(data[0]).toMatchObject({ name: "expire points", timing: "store", runs: 1, error: null, is_late: false });
  expect(data.map((job: { name: string }) => job.name)).toContain("prune receipts");
});

test("a job runs when it is asked for, though it is not due, and the history tells", async () => {
  await waitUntil(async () => (await jobOf("prune receipts")).runs === 1);
  expect((await run(viewer, "prune receipts")).status).toBe(403);
  for (const [name, runs] of [
    ["prune receipts", 2],
    ["expire points", 2],
  ] as const) {
    expect((await run(manager, name)).status).toBe(200);
    await waitUntil(async () => (await jobOf(name)).runs === runs);
    const job = await jobOf(name);
    expect(job).toMatchObject({ outcome: "done", is_asked: false, is_running: false });
    expect(job.history).toHaveLength(runs);
  }
});

test("the pause of one that failed is cut short by asking", async () => {
  await service.deps.db.execute(
    "update job set ready_at = clock_timestamp() + interval '10 minutes', failures_in_row = 3 where name = $1",
    ["prune exports"],
  );
  const before = (await jobOf("prune exports")).runs;
  await run(manager, "prune exports");
  await waitUntil(async () => (await jobOf("prune exports")).runs === before + 1);
  expect(await jobOf("prune exports")).toMatchObject({ failures_in_row: 0, outcome: "done" });
});

test("one that is held by a node is not begun beside it", async () => {
  await service.deps.db.execute(
    `update job
     set lease_uid = gen_random_uuid(), lease_until = clock_timestamp() + interval '30 minutes'
     where name = $1`,
    ["prune idempotency"],
  );
  const before = (await jobOf("prune idempotency")).runs;
  await run(manager, "prune idempotency");
  await run(manager, "prune webhook log");
  await waitUntil(async () => (await jobOf("prune webhook log")).runs === 2);
  expect(await jobOf("prune idempotency")).toMatchObject({ runs: before, is_asked: true, is_running: true });
});

test("a job that is not there, or not scheduled here, is not found", async () => {
  expect((await run(manager, "no such job")).status).toBe(404);
  expect((await viewer.get("/jobs/nothing")).status).toBe(404);
  expect((await run(manager, "reconcile with the platform")).status).toBe(404);
});
