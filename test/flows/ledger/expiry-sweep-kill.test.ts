import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomers } from "../../../src/customers/upsert-customers.ts";
import { runJob } from "../../../src/jobs/run-job.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { sweepJob } from "../../support/sweep-job.ts";
import { waitUntil } from "../../support/wait-until.ts";

const SWEEPER = fileURLToPath(new URL("../../support/sweep-until-killed.ts", import.meta.url));
const CUSTOMERS = 5_000;
const KILLS = 10;
const KILL_AFTER_MS_MAX = 40;
const DUE_AT = "2027-03-01T15:00:00Z";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00Z" });
  await giveToMany(service, CUSTOMERS);
  const { status } = await service.client.post("/api/storefront/webhooks", {
    topic: "point_allotment/cascade",
    callback_url: "http://127.0.0.1:1/hook",
  });
  expect(status).toBe(200);
});
afterAll(() => service.stop());

/** Starts a node of its own process and kills it at some moment after it got the job and the sweep went on. */
async function killInTheMiddle(): Promise<void> {
  const child = spawn(process.execPath, [SWEEPER, JSON.stringify(service.connection), DUE_AT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  const before = await expiredCount();
  await waitUntil(async () => (await expiredCount()) > before);
  await delay(Math.random() * KILL_AFTER_MS_MAX);
  child.kill("SIGKILL");
  const [, signal] = await closed;
  expect(signal).toBe("SIGKILL");
}

async function expiredCount(): Promise<number> {
  const [row] = await service.deps.db.query<{ count: bigint }>(
    "select count(*) from allotment where type = 'expiration'",
  );
  return Number(row?.count);
}

test("10 kills of two nodes that sweep at the same time: nothing expires twice, nothing is missed", async () => {
  const progress: number[] = [];
  const node = async () => {
    for (let kill = 0; kill < KILLS / 2; kill++) {
      await killInTheMiddle();
      progress.push(await expiredCount());
    }
  };
  await Promise.all([node(), node()]);
  expect(progress).toHaveLength(KILLS);
  expect(progress.every((count) => count > 0 && count < CUSTOMERS)).toBe(true);

  service.clock.set(DUE_AT);
  await waitUntil(() => runJob(service.deps, sweepJob()));
  expect(await runJob(service.deps, sweepJob())).toBe(false);

  const [sums] = await service.deps.db.query(
    `select count(*)::int as count,
      count(distinct customer_uid)::int as customers,
      sum(point_value)::int as points,
      (select sum(ledger_points)::int from balance) as left,
      (select count(*)::int from lot) as lots,
      (select count(*)::int from outbox_event) as told
    from allotment
    where type = 'expiration'`,
  );
  expect(sums).toEqual({
    count: CUSTOMERS,
    customers: CUSTOMERS,
    points: -10 * CUSTOMERS,
    left: 0,
    lots: 0,
    told: CUSTOMERS,
  });
  const printed: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => printed.push(line))).ok, printed.join("\n")).toBe(true);
});

async function giveToMany({ deps }: TestService, count: number): Promise<void> {
  const patches = Array.from({ length: count }, (_, n) => ({ storefrontId: `55${n}` }));
  const change = { kind: "add", pointValue: 10n, shortfall: "refuse" } as const;
  await deps.db.tx(async (tx) => {
    const postings = (await upsertCustomers(tx, deps, patches)).map(({ customer }) => ({
      customer,
      posting: { ...plainPosting(deps.random.uid(), "api", "test", change), extends: "credit" as const },
    }));
    await postAllotments(tx, deps, postings);
  });
}
