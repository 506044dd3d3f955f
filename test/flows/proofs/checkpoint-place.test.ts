import { execFileSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selectNewestCheckpoint } from "../../../src/checkpoints/checkpoint-queries.ts";
import { runCheckpoints } from "../../../src/checkpoints/run-checkpoints.ts";
import { readSelfCheck } from "../../../src/checkpoints/self-check-queries.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { makeFolder } from "../../support/service-process.ts";
import { waitUntil } from "../../support/wait-until.ts";

// The folder of the checkpoints is on a share that does not answer: reading a pipe that nobody writes into waits as a call on that share does.

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: TestService;
const lines: string[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  const config = { checkpointDir: folder.path };
  service = await startTestService({ worker: false, config, log: (line) => lines.push(line) });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

const newest = async () => await selectNewestCheckpoint(service.deps.db);

async function award(): Promise<void> {
  await service.client.put("/api/storefront/customers/c1", {});
  const body = { customer_id: "c1", point_value: 7 };
  expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
}

test("checkpoints are closed while the share does not answer, and the newest is there once it does", async () => {
  const place = join(folder.path, "newest.checkpoint");
  execFileSync("mkfifo", [place]);
  await award();
  await waitUntil(async () => {
    await runCheckpoints(service.deps);
    return (await newest()) !== undefined;
  });
  const first = await newest();
  expect(lines.join("\n")).toContain("does not answer");
  await award();
  await waitUntil(async () => {
    await runCheckpoints(service.deps);
    return ((await newest())?.n ?? 0n) > (first?.n ?? 0n);
  });
  await writeFile(place, first?.note ?? ""); // the share answers
  await waitUntil(async () => {
    await runCheckpoints(service.deps);
    return (await stat(place)).isFile() && (await readFile(place, "utf8")) === (await newest())?.note;
  });
  expect((await readSelfCheck(service.deps.db)).breaches).toEqual([]);
});

test("an address that answers late, and within its time, is not said to be silent", async () => {
  const receiver = await startReceiver();
  receiver.answer = () => delay(6_000, 200);
  const said: string[] = [];
  const config = { checkpointUrl: receiver.url };
  const other = await startTestService({ worker: false, config, log: (line) => said.push(line) });
  await other.client.put("/api/storefront/customers/c1", {});
  expect(
    (await other.client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 7 })).status,
  ).toBe(200);
  await waitUntil(async () => {
    await runCheckpoints(other.deps);
    return (await selectNewestCheckpoint(other.deps.db)) !== undefined;
  });
  expect(said.join("\n")).not.toContain("does not answer");
  await other.stop();
  await receiver.close();
});
