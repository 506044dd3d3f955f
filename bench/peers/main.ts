import { join } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../../src/config.ts";
import { openPool } from "../../src/db/pool.ts";
import { createLog } from "../../src/log.ts";
import { openDatabase } from "../../src/start/open-database.ts";
import { costOf, median, tableText } from "../cost.ts";
import { type Running, spawnScript, spawnServer } from "../processes.ts";
import { runLoad } from "../run-load.ts";
import { type Scenario, scenariosOf } from "../scenarios.ts";
import { seedCustomers } from "../seed-customers.ts";
import { ownerOf, say, withBenchDatabase, withBenchFolder } from "../with-bench-deps.ts";
import { PEER_CUSTOMERS, PEER_SCHEMA } from "./schema.ts";

/**
 * Compares awards of this service with those of a naive service and of a double-entry ledger in SQL, each on a PostgreSQL of the same build and
 * settings, in turns. `node bench/peers/main.ts [--seconds 3] [--rounds 3] [--customers 20000]`
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    customers: { type: "string", default: "20000" },
  },
});
const customers = Number(values.customers);
const SECRET = "bench-secret-0123456789abcdef0123456789abcdef";
const WARM_UP = 1_000;
const LOADS = ["awards, 128, spread", "awards, 128, one hot customer"];

interface Contender {
  readonly name: string;
  readonly env: Record<string, string>;
  readonly server: Running;
  /** Absent: the scenario's own. */
  readonly path?: string;
}

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly serviceUs: number;
  readonly databaseUs: number;
  readonly walBytes: number;
}

await withBenchFolder(async (folder) => {
  const env = (name: string) => ({
    POINTKEEPER_DATA_DIR: join(folder, name),
    POINTKEEPER_API_KEY: "pk_bench",
    POINTKEEPER_API_SECRET: SECRET,
    PORT: "0",
    LOG_LEVEL: "warn",
  });
  await withBenchDatabase(env("own"), (db) => seedCustomers(db, customers), "service");
  await withPeers(env("peers"), async (peers) => {
    const server = await spawnServer(env("own"));
    try {
      await compare([
        { name: "Pointkeeper", env: env("own"), server },
        { name: "naive: a transaction a request", env: env("peers"), server: peers, path: "/naive" },
        { name: "double entry in SQL, one issuer", env: env("peers"), server: peers, path: "/double-entry" },
      ]);
    } finally {
      await server.stop();
    }
  });
});

/** Runs the peers' service on a separate embedded server. */
async function withPeers(env: Record<string, string>, work: (peers: Running) => Promise<void>): Promise<void> {
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  const database = await openDatabase(readConfig(env), log, "service");
  const owner = ownerOf(database);
  const { host = "", port = 5_432, user = "", database: name = "" } = owner;
  const db = openPool({ connection: owner, connectionsMax: 1 });
  try {
    for (const statement of PEER_SCHEMA.split(/;\n+(?=create)/)) await db.execute(statement);
    await db.execute(PEER_CUSTOMERS, [customers]);
    const peers = await spawnScript("./peers/service.ts", {
      PGHOST: host,
      PGPORT: String(port),
      PGUSER: user,
      PGDATABASE: name,
    });
    try {
      await work(peers);
    } finally {
      await peers.stop();
    }
  } finally {
    await db.close();
    await database.close();
  }
}

async function compare(contenders: readonly Contender[]): Promise<void> {
  const scenarios = scenariosOf(customers).filter(({ name }) => LOADS.includes(name));
  const pairs = scenarios.flatMap((scenario) => contenders.map((contender) => ({ scenario, contender })));
  const runs = pairs.map((): Figures[] => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [i, { scenario, contender }] of pairs.entries()) runs[i]?.push(await measure(scenario, contender));
  }
  const of = (i: number, pick: (figures: Figures) => number) => median((runs[i] ?? []).map(pick));
  const rows = pairs.map(({ scenario, contender }, i) => {
    const own = pairs.findIndex((pair) => pair.scenario === scenario);
    const rate = (figures: Figures) => figures.perSecond;
    return [
      `${contender.name}; ${scenario.name}`,
      Math.round(of(i, rate)).toLocaleString("en"),
      (of(own, rate) / of(i, rate)).toFixed(1),
      of(i, ({ p99Ms }) => p99Ms).toFixed(0),
      of(i, ({ serviceUs }) => serviceUs).toFixed(0),
      of(i, ({ databaseUs }) => databaseUs).toFixed(0),
      of(i, ({ walBytes }) => walBytes).toFixed(0),
    ];
  });
  say(tableText([["", "awards/s", "Pointkeeper is", "p99 ms", "service us", "database us", "WAL B"], ...rows]));
}

async function measure(scenario: Scenario, { env, server, path }: Contender): Promise<Figures> {
  const target = { url: server.url, authorization: `Bearer ${SECRET}` };
  const own = path === undefined ? scenario : { ...scenario, path };
  const { perSecond } = await runLoad(target, own, WARM_UP);
  const amount = Math.round(perSecond * Number(values.seconds));
  const { result, cost } = await costOf(env, server.child.pid ?? 0, () => runLoad(target, own, amount));
  const count = result.acknowledged;
  return {
    perSecond: result.perSecond,
    p99Ms: result.p99Ms,
    serviceUs: cost.serviceUs / count,
    databaseUs: cost.databaseUs / count,
    walBytes: cost.walBytes / count,
  };
}
