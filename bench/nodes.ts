import { parseArgs } from "node:util";
import type pg from "pg";
import { readConfig } from "../src/config.ts";
import { openPool } from "../src/db/pool.ts";
import { createLog } from "../src/log.ts";
import { openDatabase } from "../src/start/open-database.ts";
import { cpuOf, type Running, spawnServer, verifyLedger } from "./processes.ts";
import { runLoad } from "./run-load.ts";
import { type Scenario, scenariosOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { AUTHORIZATION, ownerOf, say, serviceEnv, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures the gain of more nodes: awards to one node, to an API node with a separate worker, and to several with a worker, over one PostgreSQL.
 * Prints awards per second, and the processor time of an award in the API nodes, the worker and the database. Here they share one machine; in
 * production they would not. Linux only.
 * `node bench/nodes.ts [--awards 20000] [--rounds 3] [--nodes 2]`
 */
const { values } = parseArgs({
  options: {
    awards: { type: "string", default: "20000" },
    rounds: { type: "string", default: "3" },
    nodes: { type: "string", default: "2" },
  },
});
const CUSTOMERS = 10_000;
const CONNECTIONS = 128;
/** The requests per node of the first, unmeasured part of each run. */
const WARM_UP = 2_000;

interface Layout {
  readonly name: string;
  readonly roles: readonly ("all" | "api" | "worker")[];
}

const several = Math.max(2, Number(values.nodes));
const LAYOUTS: readonly Layout[] = [
  { name: "one node", roles: ["all"] },
  { name: "1 API, 1 worker", roles: ["api", "worker"] },
  { name: `${several} API, 1 worker`, roles: [...Array<"api">(several).fill("api"), "worker"] },
];

interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly apiUs: number;
  readonly workerUs: number;
  readonly databaseUs: number;
}

await withBenchFolder(async (dataDir) => {
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  const database = await openDatabase(readConfig({ POINTKEEPER_DATA_DIR: dataDir }), log, "service");
  try {
    const db = openPool({ connection: ownerOf(database), connectionsMax: 1 });
    await seedCustomers(db, CUSTOMERS);
    await db.close();
    const env = environment(database.connection, dataDir);
    const runs = new Map<Layout, Measured[]>(LAYOUTS.map((layout) => [layout, []]));
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const [layout, own] of runs) {
        const measured = await run(layout, env, dataDir);
        own.push(measured);
        say(`round ${round}: ${layout.name}: ${measured.perSecond.toFixed(0)}/s`);
      }
    }
    say(table(runs));
    say(await verifyLedger(env));
  } finally {
    await database.close();
  }
});

/** The settings of a node, for which the bench's embedded server is an external one. */
function environment({ host, port, user, database }: pg.ClientConfig, dataDir: string): Record<string, string> {
  return serviceEnv(dataDir, {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: "a secret key of the bench, 0123456789",
    POINTKEEPER_DRAIN_SECONDS: "0",
    POINTKEEPER_HEALTH_PORT: "0",
  });
}

async function run({ roles }: Layout, env: Record<string, string>, dataDir: string): Promise<Measured> {
  const nodes: { readonly role: string; readonly node: Running }[] = [];
  try {
    for (const role of roles) nodes.push({ role, node: await spawnServer({ ...env, BENCH_ROLE: role }) });
    const urls = nodes.filter(({ role }) => role !== "worker").map(({ node }) => node.url);
    await send(urls, WARM_UP * urls.length);
    const cpu = () => Promise.all(nodes.map(({ node }) => cpuOf(node.child.pid ?? 0, dataDir)));
    const before = await cpu();
    const startedMs = performance.now();
    const sent = await send(urls, Number(values.awards));
    const seconds = (performance.now() - startedMs) / 1_000;
    const after = await cpu();
    const count = sent.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const serviceUs = (isWorker: boolean) =>
      nodes.reduce((sum, { role }, n) => {
        if ((role === "worker") !== isWorker) return sum;
        return sum + ((after[n]?.serviceUs ?? 0) - (before[n]?.serviceUs ?? 0)) / count;
      }, 0);
    return {
      perSecond: count / seconds,
      p99Ms: Math.max(...sent.map(({ p99Ms }) => p99Ms)),
      apiUs: serviceUs(false),
      workerUs: serviceUs(true),
      databaseUs: ((after[0]?.databaseUs ?? 0) - (before[0]?.databaseUs ?? 0)) / count,
    };
  } finally {
    for (const { node } of nodes) await node.stop();
  }
}

/** Sends awards to all nodes at once, the same number to each. */
function send(urls: readonly string[], awards: number) {
  return Promise.all(
    urls.map((url, n) =>
      runLoad({ url, authorization: AUTHORIZATION }, scenarioOf(n, urls.length), Math.ceil(awards / urls.length)),
    ),
  );
}

/** Each node's connections walk through all customers, from different starting points. */
function scenarioOf(node: number, nodes: number): Scenario {
  const scenario = scenariosOf(CUSTOMERS).find(({ name }) => name === "awards, 128, spread");
  if (scenario === undefined) throw new Error("there is no such scenario");
  const first = Math.floor((CUSTOMERS / nodes) * node);
  const wanted: Scenario["wanted"] = (connection, n) => {
    const one = scenario.wanted(connection, n);
    return { ...one, customer: (one.customer + first) % CUSTOMERS };
  };
  return { ...scenario, wanted, connections: Math.ceil(CONNECTIONS / nodes) };
}

function table(runs: ReadonlyMap<Layout, readonly Measured[]>): string {
  const rows = [...runs].map(([{ name }, own]) => {
    const of = (pick: (measured: Measured) => number) => median(own.map(pick));
    const cells = [
      of(({ perSecond }) => perSecond).toFixed(0),
      of(({ p99Ms }) => p99Ms).toFixed(0),
      ...[of(({ apiUs }) => apiUs), of(({ workerUs }) => workerUs), of(({ databaseUs }) => databaseUs)].map((us) =>
        us.toFixed(0),
      ),
    ];
    return `| ${name} | ${cells.join(" | ")} |`;
  });
  const head = "| nodes | awards a second | p99, ms | API nodes, us each | worker, us each | database, us each |";
  return ["", head, "|---|---|---|---|---|---|", ...rows, ""].join("\n");
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
