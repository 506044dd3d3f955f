import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Db } from "../src/db/pool.ts";
import { type Cost, costOf } from "./cost.ts";
import { measurePages } from "./measure-pages.ts";
import { type Options, readOptions } from "./options.ts";
import { type Running, spawnScript, spawnServer, verifyLedger } from "./processes.ts";
import { type CostedRun, figuresOf, type Report, reportText } from "./report.ts";
import { type Run, runLoad, type Target } from "./run-load.ts";
import { benchScale } from "./scale.ts";
import { EMPTY_PATH, type Scenario, scenariosOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { withBenchDatabase } from "./with-bench-deps.ts";

const CREDENTIAL = { key: "pk_bench", secret: "bench-secret-0123456789abcdef0123456789abcdef" };
const AUTHORIZATION = `Basic ${Buffer.from(`${CREDENTIAL.key}:${CREDENTIAL.secret}`).toString("base64")}`;
/** Of the first, unmeasured run of each scenario. */
const WARM_UP = { amount: 2_000, amountOne: 500 };
const SETTINGS = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"] as const;
const TOPICS = ["point_allotment/cascade", "point_balance/update"] as const;

type Env = Record<string, string>;

const options = readOptions(process.argv.slice(2));
if (options !== null) {
  const { scale, seconds, folder, json } = options;
  await (scale === null ? bench(options) : benchScale({ upTo: scale, seconds, folder, json }));
}

async function bench(options: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pointkeeper-bench-"));
  const env: Env = {
    POINTKEEPER_DATA_DIR: join(folder, "data"),
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
    PORT: "0",
    LOG_LEVEL: "warn",
  };
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
    const report = await measure({ url: server.url, authorization: AUTHORIZATION }, receiver.url, options, settings, {
      env,
      pid: server.child.pid ?? 0,
    });
    say(await receiver.stop());
    await server.stop();
    say(await verifyLedger(env));
    process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : `\n${reportText(report)}`);
  } finally {
    for (const each of running) await each.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function measure(
  target: Target,
  receiverUrl: string,
  options: Options,
  settings: Report["settings"],
  { env, pid }: { readonly env: Env; readonly pid: number },
): Promise<Report> {
  const all = scenariosOf(options.customers);
  const isNamed = all.some(({ name }) => name === options.only);
  const isWanted = (name: string) => (isNamed ? name === options.only : name.includes(options.only));
  const scenarios = all.filter(({ name, path }) => path === EMPTY_PATH || isWanted(name));
  const runs = new Map<Scenario, CostedRun[]>(scenarios.map((scenario) => [scenario, []]));
  const written = { count: 0, points: 0 };
  for (let round = 0; round <= options.rounds; round++) {
    for (const [scenario, own] of runs) {
      if (scenario.hasReceiver) await subscribe(target, receiverUrl);
      const amount = amountOf(scenario, own, round, options);
      const { result, cost } = await costOf(env, pid, () => runLoad(target, scenario, amount));
      const run = costedRun(result, cost);
      if (scenario.hasReceiver) await unsubscribe(target);
      if (run.refused > 0) throw new Error(`${run.refused} requests of "${scenario.name}" were refused`);
      if (scenario.path !== EMPTY_PATH) {
        written.count += run.acknowledged;
        written.points += run.points;
      }
      if (round <= 1) own.length = 0; // the first run only warms up
      own.push(run);
      say(`round ${round}: ${scenario.name}: ${Math.round(run.perSecond)}/s`);
    }
  }
  const pages = written.count < 1_000 ? [] : await measurePages(target, written.count);
  await withBenchDatabase(env, (db) => assertWritten(db, written));
  say(`${written.count} acknowledged allotments are there, and their ${written.points} points`);
  return { settings, figures: figuresOf(runs), pages };
}

/** A run with what one request of it cost. */
function costedRun(run: Run, { serviceUs, databaseUs, walBytes }: Cost): CostedRun {
  const count = run.acknowledged + run.refused;
  return { ...run, serviceUs: serviceUs / count, databaseUs: databaseUs / count, walBytes: walBytes / count };
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

/** What the running server says; anything but safe settings ends the bench. */
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
