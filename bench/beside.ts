import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import type { Deps } from "../src/deps.ts";
import { startImport } from "../src/imports/apply/start-import.ts";
import { startCheck } from "../src/imports/check/start-check.ts";
import { selectImport } from "../src/imports/queries.ts";
import { storeUpload } from "../src/imports/store-upload.ts";
import { workImports } from "../src/imports/work-imports.ts";
import { readProgram } from "../src/program/read-program.ts";
import { changeProgram } from "../src/tiers/change-program.ts";
import { pointsFile } from "./points-file.ts";
import { type Running, spawnServer, verifyLedger } from "./processes.ts";
import { storefrontIdOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { seedDuePoints } from "./seed-due-points.ts";
import { seedSpend } from "./seed-spend.ts";
import { AUTHORIZATION, say, serviceEnv, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures how long awards take during a large job. The service, one process with its worker, receives awards at a steady rate while the sandbox
 * clock makes it expire all points or check all tiers, or while it imports a file of points for all customers; and before and after the job. With
 * `--beside` awards end after that many seconds, and the job continues without them.
 * `node bench/beside.ts [--job sweep|check|import] [--customers 300000] [--rate 200] [--seconds 20] [--beside 120]`
 */
const { values } = parseArgs({
  options: {
    job: { type: "string", default: "sweep" },
    customers: { type: "string", default: "300000" },
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "20" },
    beside: { type: "string", default: "Infinity" },
  },
});
const headers = {
  authorization: AUTHORIZATION,
  "content-type": "application/json",
};
const customers = Number(values.customers);
const everyMs = 1_000 / Number(values.rate);
const BESIDE = 1_000; // customers whom the job does not touch: their awards wait for the machine only
const agent = new Agent({ connections: 64, headersTimeout: 0, bodyTimeout: 0 });
const now = Temporal.Now.instant();
const PERSON = { uid: "00000000-0000-7000-8000-000000000000", name: "bench" };
const POLL_MS = 250;
const WARM_MS = 10_000;
/** When the sweep or the check runs: on the 1st of the month after next, at the store's midnight, both have work. */
const dueAt = firstOfMonth(2);

await withBenchFolder(async (dataDir) => {
  let importUid = "";
  await withBenchDeps(dataDir, { now: () => now }, async (deps) => {
    await seed(deps);
    if (values.job === "import") importUid = await checkedImport(deps);
  });
  const env = serviceEnv(dataDir, { POINTKEEPER_SANDBOX: "1" });
  const server = await spawnServer(env);
  try {
    await bench(server, () => (values.job === "import" ? runImport(dataDir, importUid) : setClock(server, dueAt)));
  } finally {
    await server.stop();
  }
  // the spend for a check belongs to orders that do not exist, each of which verify would report
  if (values.job !== "check") say((await verifyLedger(env)).split("\n").at(-1) ?? "");
});

async function seed(deps: Deps): Promise<void> {
  const rules = [0, 30_000, 90_000].map((requirement, rank) => ({
    name: `Tier ${rank}`,
    currency_spent_requirement: requirement,
    point_value: 1,
    currency_value: 100,
  }));
  const tiers = { period_months: 1, window_months: 12, rules };
  await changeProgram(deps, { document: { tiers }, author: "bench", isDryRun: false, isNow: false });
  await seedCustomers(deps.db, customers);
  if (values.job === "sweep") await seedDuePoints(deps.db, dueAt.subtract({ hours: 24 * (365 + 10) }));
  else if (values.job === "check") {
    const tierUid = (await readProgram(deps.db)).tiers.rules[1]?.uid ?? "";
    await seedSpend(deps.db, { from: now.subtract({ hours: 24 * 20 }), orders: 3, tierUid });
  }
}

/** Uploads and checks a file of points for everybody except the customers who are awarded at the same time. */
async function checkedImport(deps: Deps): Promise<string> {
  const bytes = pointsFile({ rows: customers - BESIDE, by: "email" });
  const file = await storeUpload(deps, { kind: "points", fileName: "bench.csv", bytes, by: PERSON });
  await deps.db.tx((tx) => startCheck(tx, deps, file.uid, { settings: file, by: PERSON }));
  await workImports(deps);
  return file.uid;
}

/** Lets the server's worker import the file, and waits until it is done. */
function runImport(dataDir: string, uid: string): Promise<void> {
  const work = async (deps: Deps) => {
    await deps.db.tx((tx) => startImport(tx, deps, uid, { by: PERSON, isApproved: false }));
    while ((await selectImport(deps.db, uid)).state === "importing") {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const { state } = await selectImport(deps.db, uid);
    if (state !== "imported") throw new Error(`the import is ${state}`);
  };
  return withBenchDeps(dataDir, { now: () => now }, work, "command");
}

async function bench(server: Running, runJob: () => Promise<void>): Promise<void> {
  await awards(server, (sent) => sent * everyMs >= WARM_MS);
  const isLong = (sent: number) => sent * everyMs >= Number(values.seconds) * 1_000;
  const before = await awards(server, isLong);
  show("quiet before", before);
  let isDone = false;
  const startedMs = performance.now();
  const job = runJob().then(() => {
    isDone = true;
  });
  const beside = await awards(server, (sent) => isDone || sent * everyMs >= Number(values.beside) * 1_000);
  show(`beside ${values.job} of ${customers} customers, ${seconds(performance.now() - startedMs)} s`, beside);
  await job;
  say(`the job took ${seconds(performance.now() - startedMs)} s`);
  const after = await awards(server, isLong);
  show("quiet after", after);
  const quiet = [...before, ...after].sort((a, b) => a - b);
  say(`p99 ${(at(beside, 0.99) / at(quiet, 0.99)).toFixed(2)} times the quiet one`);
}

/** Sends awards at the steady rate, without waiting for earlier answers; returns the durations, sorted, in milliseconds. */
async function awards(server: Running, isOver: (sent: number) => boolean): Promise<number[]> {
  const durations: number[] = [];
  const open: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let sent = 0; !isOver(sent); sent++) {
    const waitMs = startedMs + sent * everyMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    open.push(award(server, sent).then((durationMs) => void durations.push(durationMs)));
  }
  await Promise.all(open);
  return durations.sort((a, b) => a - b);
}

async function award(server: Running, n: number): Promise<number> {
  const startedMs = performance.now();
  const body = JSON.stringify({ customer_id: storefrontIdOf(customers - 1 - (n % BESIDE)), point_value: 1 });
  const url = `${server.url}/api/storefront/point_allotments`;
  const answer = await request(url, { method: "POST", headers, body, dispatcher: agent });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`an award answered ${answer.statusCode}: ${text}`);
  return performance.now() - startedMs;
}

async function setClock(server: Running, to: Temporal.Instant): Promise<void> {
  const options = { method: "PUT", headers, body: JSON.stringify({ now: to.toString() }), dispatcher: agent } as const;
  const answer = await request(`${server.url}/sandbox/clock`, options);
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`the clock answered ${answer.statusCode}: ${text}`);
}

/** Returns midnight of the 1st in the default store's zone, some months ahead. */
function firstOfMonth(monthsAhead: number): Temporal.Instant {
  const today = now.toZonedDateTimeISO("Asia/Tokyo").toPlainDate();
  return today.with({ day: 1 }).add({ months: monthsAhead }).toZonedDateTime("Asia/Tokyo").toInstant();
}

function show(what: string, durations: readonly number[]): void {
  const text = [0.5, 0.95, 0.99, 0.999].map((part) => `p${part * 100} ${at(durations, part).toFixed(1)} ms`).join(", ");
  say(`${what}: ${durations.length} awards, ${text}`);
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
