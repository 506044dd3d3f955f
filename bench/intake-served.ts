import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent } from "undici";
import type { Db } from "../src/db/pool.ts";
import { changeProgram } from "../src/tiers/change-program.ts";
import { CUSTOMERS, FIRST_CUSTOMER, orderEvent, PROGRAM } from "./order-event.ts";
import { cpuOf, spawnServer } from "./processes.ts";
import { seedCustomers } from "./seed-customers.ts";
import {
  AUTHORIZATION,
  say,
  serviceEnv,
  withBenchDatabase,
  withBenchDeps,
  withBenchFolder,
} from "./with-bench-deps.ts";

/**
 * Measures order events through a running service, from the request to the allotments: one event per request over 32 connections, and lists of 100
 * over two, compared with awards over 32 in the same run. Prints the number processed per second and the processor time of service and database for
 * each. Linux only. `node bench/intake-served.ts [--events 3000] [--rounds 2]`
 */
const { values } = parseArgs({
  options: { events: { type: "string", default: "3000" }, rounds: { type: "string", default: "2" } },
});
const EVENTS = Number(values.events);
const HEADERS = { authorization: AUTHORIZATION, "content-type": "application/json" };
const LIST = 100;
const POLL_MS = 20;
const STARTED_AT = Temporal.Instant.from("2026-02-01T00:00:00Z");
const DONE = "select count(*) as done from receipt where state = 'done'";

await withBenchFolder(async (dataDir) => {
  const env = serviceEnv(dataDir);
  await withBenchDeps(dataDir, { now: () => Temporal.Now.instant() }, async (deps) => {
    await changeProgram(deps, { document: PROGRAM, author: "bench", isDryRun: false, isNow: false });
    await seedCustomers(deps.db, CUSTOMERS, STARTED_AT);
  });
  const server = await spawnServer(env);
  try {
    await withBenchDatabase(env, (db) => bench(db, server.url, () => cpuOf(server.child.pid ?? 0, dataDir)));
  } finally {
    await server.stop();
  }
});

async function bench(db: Db, url: string, cpu: () => ReturnType<typeof cpuOf>): Promise<void> {
  const agent = new Agent({ connections: 32 });
  let made = 0;

  /** Posts bodies over some connections; a request that is refused for its rate is sent again. */
  async function post(path: string, bodies: readonly unknown[], connections: number): Promise<void> {
    const left = bodies.values();
    const sender = async () => {
      for (const body of left) {
        const text = JSON.stringify(body);
        const answer = await agent.request({ origin: url, path, method: "POST", headers: HEADERS, body: text });
        await answer.body.dump();
        if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: connections }, sender));
  }

  async function measure(what: string, work: () => Promise<void>): Promise<void> {
    const [before, startedMs] = [await cpu(), performance.now()];
    await work();
    const seconds = (performance.now() - startedMs) / 1_000;
    const after = await cpu();
    const each = (name: "serviceUs" | "databaseUs") => ((after[name] - before[name]) / EVENTS).toFixed(0);
    say(
      `${what}: ${(EVENTS / seconds).toFixed(0)} a second, service ${each("serviceUs")} us, database ${each("databaseUs")} us`,
    );
  }

  async function processed(bodies: readonly unknown[], connections: number): Promise<void> {
    await post("/intake/events", bodies, connections);
    while (Number((await db.query<{ done: bigint }>(DONE))[0]?.done ?? 0n) < made) await delay(POLL_MS);
  }

  const next = (count: number) => Array.from({ length: count }, () => orderEvent(made++));
  await processed(next(500), 32);
  for (let round = 0; round < Number(values.rounds); round++) {
    const awards = Array.from({ length: EVENTS }, (_, n) => ({
      customer_id: String(FIRST_CUSTOMER + (n % CUSTOMERS)),
      point_value: 5,
    }));
    await measure("awards over 32 connections", () => post("/api/storefront/point_allotments", awards, 32));
    await measure("events one by one over 32 connections", () => processed(next(EVENTS), 32));
    const lists = Array.from({ length: EVENTS / LIST }, () => next(LIST));
    await measure("events in lists of 100 over two connections", () => processed(lists, 2));
  }
  await agent.close();
}
