import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Db } from "../src/db/pool.ts";
import { cpuOf, spawnServer } from "./processes.ts";
import { storefrontIdOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { AUTHORIZATION, say, serviceEnv, withBenchDatabase, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures how dead receivers affect one that answers. Awards are sent at a steady rate, and the time from each award's answer to its delivery is
 * measured at a quick receiver, alternately with and without further receivers of the same topic, half of which hang and half of which are gone.
 * Linux only. Ends with the figures of all rounds together. `node bench/dead-receivers.ts [--dead 100] [--rate 60] [--seconds 15] [--rounds 3]`
 */
const { values } = parseArgs({
  options: {
    dead: { type: "string", default: "100" },
    rate: { type: "string", default: "60" },
    seconds: { type: "string", default: "15" },
    rounds: { type: "string", default: "3" },
  },
});
const CUSTOMERS = 1_000;
const TOPIC = "point_allotment/cascade";
const HEADERS = { authorization: AUTHORIZATION, "content-type": "application/json" };
const DEAD_AFTER = 5;
const POLL_MS = 200;

// They have the subscription's secrets.
const ADD = `
insert into subscription (topic, uid, callback_url, activated_at, secret_sealed, is_additional)
select s.topic, gen_random_uuid(), case when n % 2 = 0 then $2 else 'http://127.0.0.1:1/hook' end || '?n=' || n, s.activated_at,
  s.secret_sealed, true
from subscription s, generate_series(1, $1) n`;

const arrivedMs = new Map<string, number>();
const hook = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    if (request.url?.startsWith("/hang") === true) return;
    arrivedMs.set(JSON.parse(Buffer.concat(pieces).toString()).uid, performance.now());
    response.writeHead(200).end();
  });
});
await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
const hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`; // cast: a TCP server that listens has such an address

await withBenchFolder(async (dataDir) => {
  const env = serviceEnv(dataDir, { POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1" });
  await withBenchDatabase(env, (db) => seedCustomers(db, CUSTOMERS), "service");
  const server = await spawnServer(env);
  try {
    await withBenchDatabase(env, (db) => measure(db, server.url, () => cpuOf(server.child.pid ?? 0, dataDir)));
  } finally {
    await server.stop();
    hook.closeAllConnections();
    hook.close();
  }
});

async function measure(db: Db, url: string, cpu: () => ReturnType<typeof cpuOf>): Promise<void> {
  const body = JSON.stringify({ topic: TOPIC, callback_url: `${hookUrl}/hook` });
  await fetch(`${url}/api/storefront/webhooks`, { method: "POST", headers: HEADERS, body });
  await runAwards(url);
  say("| dead receivers | p50, ms | p99, ms | service, % of a core | database, % of a core |");
  say("|---|---|---|---|---|");
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    alone.push(...(await report(0, url, cpu)));
    await db.execute(ADD, [Number(values.dead), `${hookUrl}/hang`]);
    await untilDead(db, url);
    beside.push(...(await report(Number(values.dead), url, cpu)));
    await db.execute("delete from subscription where is_additional");
    await delay(2_000);
  }
  alone.push(...(await report(0, url, cpu)));
  say(`| 0, all rounds | ${textAt(alone, 0.5)} | ${textAt(alone, 0.99)} | | |`);
  say(`| ${values.dead}, all rounds | ${textAt(beside, 0.5)} | ${textAt(beside, 0.99)} | | |`);
}

function textAt(waits: readonly number[], share: number): string {
  const sorted = waits.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
}

async function untilDead(db: Db, url: string): Promise<void> {
  for (let n = 0; n < 2 * DEAD_AFTER; n++) await award(url, n);
  const left = async () =>
    (await db.query("select from subscription where is_additional and failures < $1", [DEAD_AFTER])).length;
  while ((await left()) > 0) await delay(POLL_MS);
}

async function report(dead: number, url: string, cpu: () => ReturnType<typeof cpuOf>): Promise<number[]> {
  const [before, startedMs] = [await cpu(), performance.now()];
  const waits = await runAwards(url);
  const [after, tookUs] = [await cpu(), (performance.now() - startedMs) * 1_000];
  const percent = (us: number) => ((100 * us) / tookUs).toFixed(0);
  const [service, database] = [after.serviceUs - before.serviceUs, after.databaseUs - before.databaseUs];
  say(`| ${dead} | ${textAt(waits, 0.5)} | ${textAt(waits, 0.99)} | ${percent(service)} | ${percent(database)} |`);
  return waits;
}

/** Sends awards at the steady rate; returns how long each delivery took from the award's answer, in ms. */
async function runAwards(url: string): Promise<number[]> {
  const answered: Promise<{ uid: string; atMs: number }>[] = [];
  for (let n = 0; n < Number(values.rate) * Number(values.seconds); n++) {
    answered.push(award(url, n));
    await delay(1_000 / Number(values.rate));
  }
  const awards = await Promise.all(answered);
  while (awards.some(({ uid }) => !arrivedMs.has(uid))) await delay(POLL_MS);
  return awards.map(({ uid, atMs }) => (arrivedMs.get(uid) ?? 0) - atMs);
}

async function award(url: string, n: number): Promise<{ uid: string; atMs: number }> {
  const body = JSON.stringify({ customer_id: storefrontIdOf(n % CUSTOMERS), point_value: 1 });
  const response = await fetch(`${url}/api/storefront/point_allotments`, { method: "POST", headers: HEADERS, body });
  if (!response.ok) throw new Error(`an award answered ${response.status}: ${await response.text()}`);
  const answer = (await response.json()) as { data: { uid: string } }; // cast: the interface says so
  return { uid: answer.data.uid, atMs: performance.now() };
}
