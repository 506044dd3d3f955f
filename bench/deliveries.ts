import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Agent } from "undici";
import type { Db } from "../src/db/pool.ts";
import { cpuOf, type Running, spawnScript, spawnServer } from "./processes.ts";
import { runLoad } from "./run-load.ts";
import { scenariosOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { AUTHORIZATION, say, serviceEnv, withBenchDatabase, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures the cost of a delivery. Awards fill an outbox while no worker runs, with both topics of points subscribed; then the service starts and
 * delivers everything to a receiver on this machine. Prints deliveries per second, and the processor time of the service and the database per
 * delivery, compared with bare requests of undici to the same receiver in the same run. Linux only.
 * `node bench/deliveries.ts [--awards 20000] [--profile <folder>]`
 */
const { values } = parseArgs({
  options: { awards: { type: "string", default: "20000" }, profile: { type: "string" } },
});
const PROFILED = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];
const CUSTOMERS = 10_000;
const TOPICS = ["point_allotment/cascade", "point_balance/update"] as const;
const POLL_MS = 100;
const BARE_IN_FLIGHT = 64;
const WAITING = `
select (select count(*) from delivery)
  + (select coalesce(sum(cardinality(b.uids) - bit_count((b.settled | coalesce(c.settled[(b.position - c.position)::integer], 0))::bit(64))), 0)
    from subscription s
    join receiver_cursor c on c.subscription_uid = s.uid
    join topic_batch b on b.topic = s.topic and (b.position is null or b.position > c.position))::bigint as count`;
const BARE_BODY = JSON.stringify({ text: "x".repeat(300) });

await withBenchFolder(async (dataDir) => {
  const env = serviceEnv(dataDir, { POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1" });
  const receiver = await spawnScript("./receiver.ts", {});
  const running: Running[] = [receiver];
  try {
    await withBenchDatabase(env, (db) => seedCustomers(db, CUSTOMERS), "service");
    const filler = await spawnServer({ ...env, BENCH_ROLE: "api" });
    running.push(filler);
    await fill(filler.url, receiver.url, 0); // the subscriptions, and the first rows of each table
    const walBefore = await withBenchDatabase(env, walOf);
    await fill(filler.url, receiver.url, Number(values.awards));
    const walAward = ((await withBenchDatabase(env, walOf)) - walBefore) / Number(values.awards);
    await filler.stop();

    const bareUs = await measureBare(receiver.url, 2 * Number(values.awards));
    const server = await spawnServer(env, PROFILED);
    running.push(server);
    const measured = await withBenchDatabase(env, (db) => drain(db, server.child.pid ?? 0, dataDir));
    const bare = `beside a bare request (${bareUs.toFixed(0)} us)`;
    say(`| deliveries | a second | service, us each | ${bare} | database, us each | WAL, bytes each |`);
    say("|---|---|---|---|---|---|");
    const { count, seconds, serviceUs, databaseUs, walBytes } = measured;
    const ratio = (serviceUs / bareUs).toFixed(2);
    say(
      `| ${count} | ${(count / seconds).toFixed(0)} | ${serviceUs.toFixed(0)} | ${ratio} | ${databaseUs.toFixed(0)} | ${walBytes.toFixed(0)} |`,
    );
    say(`an award, with what it has to deliver: ${walAward.toFixed(0)} bytes of WAL`);
  } finally {
    for (const each of running.reverse()) await each.stop();
  }
});

async function fill(url: string, receiverUrl: string, awards: number): Promise<void> {
  for (const topic of TOPICS) {
    const response = await fetch(`${url}/api/storefront/webhooks`, {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
      body: JSON.stringify({ topic, callback_url: `${receiverUrl}/hook` }),
    });
    if (!response.ok) throw new Error(`the subscription answered ${response.status}: ${await response.text()}`);
  }
  const scenario = scenariosOf(CUSTOMERS).find(({ name }) => name === "awards, 128, spread");
  if (scenario === undefined) throw new Error("there is no such scenario");
  await runLoad({ url, authorization: AUTHORIZATION }, scenario, Math.max(awards, 500));
}

/** Returns the processor time of one bare request in this process, in us. */
async function measureBare(receiverUrl: string, count: number): Promise<number> {
  const agent = new Agent({ connections: BARE_IN_FLIGHT });
  const post = async (share: number) => {
    for (let n = 0; n < share; n++) {
      const { body } = await agent.request({ origin: receiverUrl, path: "/hook", method: "POST", body: BARE_BODY });
      await body.dump();
    }
  };
  await post(500);
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: BARE_IN_FLIGHT }, () => post(Math.ceil(count / BARE_IN_FLIGHT))));
  const { user, system } = process.cpuUsage(before);
  await agent.close();
  return (user + system) / count;
}

/** Waits until nothing is left to deliver, and returns the cost. */
async function drain(db: Db, servicePid: number, dataDir: string) {
  const left = async () => Number((await db.query<{ count: bigint }>(WAITING))[0]?.count ?? 0n);
  const count = await left();
  const startedMs = performance.now();
  const before = await cpuOf(servicePid, dataDir);
  const walBefore = await walOf(db);
  while ((await left()) > 0) await delay(POLL_MS);
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = await cpuOf(servicePid, dataDir);
  const serviceUs = (after.serviceUs - before.serviceUs) / count;
  const databaseUs = (after.databaseUs - before.databaseUs) / count;
  const walBytes = ((await walOf(db)) - walBefore) / count;
  return { count, seconds, serviceUs, databaseUs, walBytes };
}

async function walOf(db: Db): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes",
  );
  return row?.bytes ?? 0;
}
