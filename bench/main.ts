import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../src/db/pool.ts";
import { type Costed, costOf, median } from "./cost.ts";
import { measurePages } from "./measure-pages.ts";
import { type Options, readOptions } from "./options.ts";
import { cpuOfProcess, type Running, spawnScript, spawnServer, verifyLedger } from "./processes.ts";
import { type CostedRun, figuresOf, type Report, reportText } from "./report.ts";
import { type Run, runLoad, type Target } from "./run-load.ts";
import { benchScale } from "./scale.ts";
import { isEmpty, type Scenario, scenariosOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { AUTHORIZATION, serviceEnv, withBenchDatabase } from "./with-bench-deps.ts";

/** The requests of the first, unmeasured run of each scenario. */
const WARM_UP = { amount: 2_000, amountOne: 500 };
const SETTINGS = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"] as const;
const TOPICS = ["point_allotment/cascade", "point_balance/update"] as const;

const COMMITS = 300;
const POLL_MS = 20;
const DELIVERED_MS = 300_000;

type Env = Record<string, string>;

const options = readOptions(process.argv.slice(2));
if (options !== null) {
  const { scale, seconds, folder, json } = options;
  await (scale === null ? bench(options) : benchScale({ upTo: scale, seconds, folder, json }));
}

async function bench(options: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pointkeeper-bench-"));
  const env = serviceEnv(join(folder, "data"), { POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1" });
  const running: Running[] = [];
  try {
    say(`making ${options.customers} customers`);
    const settings = await withBenchDatabase(
      env,
      async (db) => {
        await seedCustomers(db, options.customers);
        return readSettings(db);
      },
      "service",
    );
    const flags = options.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`];
    const server = await spawnServer(env, flags);
    running.push(server);
    const receiver = await spawnScript("./receiver.ts", {});
    running.push(receiver);
    const bare = await spawnScript("./bare-route.ts", {});
    running.push(bare);
    const report = await measure({ env, server, bare, receiver }, options, settings);
    say(await receiver.stop());
    await server.stop();
    say(await verifyLedger(env));
    process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : `\n${reportText(report)}`);
  } finally {
    for (const each of running) await each.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** The scenarios and what measures them. */
interface Setup {
  readonly env: Env;
  readonly server: Running;
  readonly bare: Running;
  readonly receiver: Running;
}

async function measure(setup: Setup, options: Options, settings: Report["settings"]): Promise<Report> {
  const { env, server } = setup;
  const target = { url: server.url, authorization: AUTHORIZATION };
  const all = scenariosOf(options.customers);
  const isNamed = all.some(({ name }) => name === options.only);
  const isWanted = (name: string) => (isNamed ? name === options.only : name.includes(options.only));
  const scenarios = all.filter(({ name, path, isBare }) => isBare || isEmpty(path) || isWanted(name));
  const runs = new Map<Scenario, CostedRun[]>(scenarios.map((scenario) => [scenario, []]));
  const written = { count: 0, points: 0 };
  const commits: number[] = [];
  for (let round = 0; round <= options.rounds; round++) {
    for (const [scenario, own] of runs) {
      const run = await runScenario(setup, scenario, amountOf(scenario, own, round, options));
      if (!isEmpty(scenario.path) && !scenario.isBare) {
        written.count += run.acknowledged;
        written.points += run.points;
      }
      if (round <= 1) own.length = 0; // the first run is warm-up only
      own.push(run);
      say(`round ${round}: ${scenario.name}: ${Math.round(run.perSecond)}/s`);
    }
    commits.push(await withBenchDatabase(env, commitP50Ms));
  }
  const pages = written.count < 1_000 ? [] : await measurePages(target, written.count);
  await withBenchDatabase(env, (db) => assertWritten(db, written));
  say(`${written.count} acknowledged allotments are there, and their ${written.points} points`);
  return { settings, figures: figuresOf(runs), commitP50Ms: median(commits.slice(1)), pages };
}

async function runScenario(
  { env, server, bare, receiver }: Setup,
  scenario: Scenario,
  amount: number,
): Promise<CostedRun> {
  const { url, child } = scenario.isBare ? bare : server;
  const target = { url, authorization: AUTHORIZATION };
  const run = () => runLoad(target, scenario, amount);
  if (!scenario.hasReceiver) return costedRun(await costOf(env, child.pid ?? 0, run));
  await subscribe(target, receiver.url);
  const before = await countArrived(receiver.url);
  const receiverBeforeUs = await cpuOfProcess(receiver.child.pid ?? 0);
  const delivered = async () => {
    const startedMs = performance.now();
    const result = await run();
    await untilArrived(receiver.url, before + TOPICS.length * result.acknowledged);
    return { ...result, perSecond: (result.acknowledged * 1_000) / (performance.now() - startedMs) };
  };
  const costed = await costOf(env, child.pid ?? 0, delivered);
  const receiverUs = (await cpuOfProcess(receiver.child.pid ?? 0)) - receiverBeforeUs;
  await unsubscribe(target);
  return costedRun(costed, receiverUs);
}

async function countArrived(receiverUrl: string): Promise<number> {
  return Number(await (await fetch(`${receiverUrl}/count`)).text());
}

async function untilArrived(receiverUrl: string, count: number): Promise<void> {
  const giveUpAt = performance.now() + DELIVERED_MS;
  while ((await countArrived(receiverUrl)) < count) {
    if (performance.now() > giveUpAt) throw new Error("the deliveries do not end");
    await delay(POLL_MS);
  }
}

/** Returns the median of one-row commits, one after the other, by the driver and pool of the service. */
async function commitP50Ms(db: Db): Promise<number> {
  await db.execute("create table if not exists bench_commit (n integer)");
  const tookMs: number[] = [];
  for (let n = 0; n < COMMITS; n++) {
    const startedMs = performance.now();
    await db.execute("insert into bench_commit values ($1)", [n]);
    tookMs.push(performance.now() - startedMs);
  }
  await db.execute("drop table bench_commit");
  return median(tookMs);
}

/** Returns a run with the cost of one request. */
function costedRun({ result: run, cost }: Costed<Run>, receiverUs = 0): CostedRun {
  const count = run.acknowledged + run.refused;
  const [serviceUs, databaseUs, walBytes] = [cost.serviceUs / count, cost.databaseUs / count, cost.walBytes / count];
  return { ...run, serviceUs, databaseUs, walBytes, receiverUs: receiverUs / count, idle: cost.idle };
}

function amountOf(scenario: Scenario, own: readonly CostedRun[], round: number, options: Options): number {
  if (round === 0) return scenario.connections === 1 ? WARM_UP.amountOne : WARM_UP.amount;
  return Math.max(scenario.connections, Math.round((own.at(-1)?.perSecond ?? 0) * options.seconds));
}

async function subscribe(target: Target, receiverUrl: string): Promise<void> {
  for (const topic of TOPICS) await webhooks(target, "POST", { topic, callback_url: `${receiverUrl}/hook` });
}

async function unsubscribe(target: Target): Promise<void> {
  for (const topic of TOPICS) await webhooks(target, "DELETE", { topic });
}

async function webhooks(target: Target, method: string, body: object): Promise<void> {
  const response = await fetch(`${target.url}/api/storefront/webhooks`, {
    method,
    headers: { authorization: target.authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${method} of a subscription answered ${response.status}: ${await response.text()}`);
}

/** Returns the settings of the running server; unsafe settings end the bench. */
async function readSettings(db: Db): Promise<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const name of SETTINGS) {
    const [row] = await db.query<Record<string, string>>(`show ${name}`);
    const value = row?.[name] ?? "";
    if (value !== "on") throw new Error(`${name} is ${value}: such figures would mean nothing`);
    settings[name] = value;
  }
  return settings;
}

async function assertWritten(db: Db, written: { count: number; points: number }): Promise<void> {
  const [row] = await db.query<{ count: bigint; points: bigint }>(
    `select (select count(*) from allotment) as count,
      (select sum(ledger_points) from balance)::bigint as points`,
  );
  if (Number(row?.count) !== written.count || Number(row?.points) !== written.points) {
    throw new Error(
      `${row?.count} allotments with ${row?.points} points are there, acknowledged were ${written.count} with ${written.points}`,
    );
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
