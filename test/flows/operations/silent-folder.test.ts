import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, type onTestFinished, test } from "vitest";
import { hasOpenCalls, noteCall } from "../../../src/file-calls.ts";
import { startWorker } from "../../../src/jobs/worker.ts";
import { basic, createClient } from "../../support/client.ts";
import { startTestService } from "../../support/service.ts";
import { makeFolder, spawnPointkeeper, spawnService } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

// A process with a call on a network share that is away: reading a pipe that nobody writes into waits as such a call does, and takes a thread.

const CREDENTIAL = { key: "pk_silent", secret: "secret-of-the-silent-0123456789abcdef012345" };
type Finished = typeof onTestFinished;

/** A folder with one for checkpoints that does not answer. Tests that wait for seconds do so at the same time. */
async function makeSilent(finished: Finished) {
  const folder = await makeFolder();
  finished(() => folder.remove());
  const checkpoints = join(folder.path, "checkpoints");
  await mkdir(checkpoints);
  execFileSync("mkfifo", [join(checkpoints, "newest.checkpoint")]);
  return { checkpoints, dataDir: join(folder.path, "data") };
}

async function startWaiting({ checkpoints, dataDir }: Awaited<ReturnType<typeof makeSilent>>) {
  const service = await spawnService({
    POINTKEEPER_DATA_DIR: dataDir,
    POINTKEEPER_CHECKPOINT_DIR: checkpoints,
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  });
  const client = createClient(service.url, basic(CREDENTIAL));
  await client.put("/api/storefront/customers/c1", {});
  const award = { customer_id: "c1", point_value: 7 };
  expect((await client.post("/api/storefront/point_allotments", award)).status).toBe(200);
  await waitUntil(() => service.stdout().includes("does not answer"));
  return service;
}

test.concurrent("SIGTERM stops everything else, and then ends the process, which says why", async ({
  onTestFinished: finished,
}) => {
  const silent = await makeSilent(finished);
  const service = await startWaiting(silent);
  const startedMs = performance.now();
  const { code, stdout } = await service.stop();
  expect(performance.now() - startedMs).toBeLessThan(45_000);
  expect(code).toBeNull(); // by a signal, its own
  expect(stdout).toMatch(/"message":"stopped"[\s\S]*"level":"error"[^\n]*it kills itself/);
  const again = await spawnService({ POINTKEEPER_DATA_DIR: silent.dataDir });
  expect(again.stdout()).toContain('"message":"started"');
  await again.stop();
});

test.concurrent("doctor, which waits for no folder longer than half a minute, ends too", async ({
  onTestFinished: finished,
}) => {
  const { checkpoints, dataDir } = await makeSilent(finished);
  const env = { POINTKEEPER_DATA_DIR: dataDir, POINTKEEPER_CHECKPOINT_DIR: checkpoints };
  const { stdout, stderr } = await spawnPointkeeper(["doctor"], env).ended;
  expect(stdout).toMatch(/fail\s+checkpoint place\s.*has not answered for 30 seconds/);
  expect(stderr).toContain("it kills itself");
});

test("work that does not end holds up the stop of a worker for a while only", async () => {
  const lines: string[] = [];
  const service = await startTestService({ worker: false, log: (line) => lines.push(line) });
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const hang = () => {
    begun.resolve();
    return promise;
  };
  const worker = startWorker(service.deps, {
    loops: [],
    tasks: [
      { name: "of the share", everyMs: 10, run: hang },
      { name: "of the store", everyMs: 10, run: () => delay(1) },
    ],
    wakes: { on: () => () => {} },
    stopMs: 300,
  });
  await begun.promise;
  await worker.stop();
  expect(lines.join("\n")).toMatch(/background work does not end[^\n]*"work":\["of the share"\]/);
  expect(hasOpenCalls()).toBe(false); // work of the database needs no SIGKILL: `process.exit` ends it
  lines.length = 0;
  const slow = startWorker(service.deps, {
    loops: [],
    tasks: [{ name: "on a slow disk", everyMs: 10, run: () => noteCall(delay(100)) }],
    wakes: { on: () => () => {} },
    ...{ stopMs: 600_000, silentStopMs: 10, silentMs: 600_000 },
  });
  await slow.stop(); // a disk that is slow is waited for
  expect(lines.join("\n")).not.toContain("background work does not end");
  const waiting = startWorker(service.deps, {
    loops: [],
    tasks: [{ name: "in a folder", everyMs: 10, run: () => noteCall(promise) }],
    wakes: { on: () => () => {} },
    ...{ stopMs: 600_000, silentStopMs: 10, silentMs: 50 },
  });
  await waiting.stop(); // a silent one is not
  expect(lines.join("\n")).toMatch(/background work does not end[^\n]*"work":\["in a folder"\]/);
  resolve();
  await service.stop();
});
