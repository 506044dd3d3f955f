import { parseArgs } from "node:util";
import type { Db } from "../src/db/pool.ts";
import { changeProgram } from "../src/tiers/change-program.ts";
import { type Cost, costOf, tableText } from "./cost.ts";
import { PROGRAM } from "./order-event.ts";
import { spawnServer } from "./processes.ts";
import { type Run, runLoad, type Target } from "./run-load.ts";
import type { Scenario } from "./scenarios.ts";
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
 * Measures the cost of chains for an award through HTTP. Rounds with and without the key of the ledger alternate, over 128 connections to a service
 * without a worker; each side has its own customers. The result is the median of the ratios of neighbouring rounds, which other load on the machine
 * disturbs least. `node bench/chain-http.ts [--pairs 8] [--awards 6000]`
 */
const { values } = parseArgs({
  options: { pairs: { type: "string", default: "8" }, awards: { type: "string", default: "6000" } },
});
const PAIRS = Number(values.pairs);
const AWARDS = Number(values.awards);
const CUSTOMERS = 20_000;
const CONNECTIONS = 128;
const SIDES = ["with", "without"] as const;
type Side = (typeof SIDES)[number];

interface Round {
  readonly run: Run;
  readonly cost: Cost;
}

const sent: Record<Side, number> = { with: 0, without: 0 };

await withBenchFolder(async (dataDir) => {
  const env = serviceEnv(dataDir, { BENCH_ROLE: "api" });
  await withBenchDeps(dataDir, { now: () => Temporal.Now.instant() }, async (deps) => {
    await changeProgram(deps, { document: PROGRAM, author: "bench", isDryRun: false, isNow: false });
    await seedCustomers(deps.db, CUSTOMERS);
  });
  const server = await spawnServer(env);
  const target = { url: server.url, authorization: AUTHORIZATION };
  try {
    await withBenchDatabase(env, (db) => bench({ db, env, target, pid: server.child.pid ?? 0 }));
  } finally {
    await server.stop();
  }
});

interface Bench {
  readonly db: Db;
  readonly env: Record<string, string>;
  readonly target: Target;
  readonly pid: number;
}

async function bench(of: Bench): Promise<void> {
  for (const side of SIDES) await measure(of, side); // warm-up
  const pairs: Record<Side, Round>[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const order = pair % 2 === 0 ? SIDES : SIDES.toReversed();
    const rounds: Partial<Record<Side, Round>> = {};
    for (const side of order) rounds[side] = await measure(of, side);
    const { with: one, without: other } = rounds;
    if (one !== undefined && other !== undefined) pairs.push({ with: one, without: other });
  }
  const rate = ({ run }: Round) => run.perSecond;
  const cpu = ({ cost }: Round) => (cost.serviceUs + cost.databaseUs) / AWARDS;
  const wal = ({ cost }: Round) => cost.walBytes / AWARDS;
  const rows = [
    ["", "with", "without", "ratio of the median pair"],
    ["awards a second", ...columns(pairs, rate, 0)],
    ["us of processor an award", ...columns(pairs, cpu, 1)],
    ["bytes of log an award", ...columns(pairs, wal, 0)],
  ];
  say(`\n${PAIRS} pairs of ${AWARDS} awards over ${CONNECTIONS} connections:\n${tableText(rows)}`);
}

function columns(pairs: readonly Record<Side, Round>[], pick: (round: Round) => number, digits: number): string[] {
  const sides = SIDES.map((side) => middle(pairs.map((pair) => pick(pair[side]))).toFixed(digits));
  return [...sides, middle(pairs.map((pair) => pick(pair.with) / pick(pair.without))).toFixed(3)];
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure({ db, env, target, pid }: Bench, side: Side): Promise<Round> {
  await db.execute("update ledger_key set retired_at = $1", [side === "with" ? null : Temporal.Now.instant()]);
  await db.execute("checkpoint"); // full pages are written to the log once after it, the same in every round
  const { result, cost } = await costOf(env, pid, () => runLoad(target, scenarioOf(side), AWARDS));
  const text = `${result.perSecond.toFixed(0)} awards/s, ${((cost.serviceUs + cost.databaseUs) / AWARDS).toFixed(1)} us`;
  say(`${side.padEnd(8)} ${text}`);
  return { run: result, cost };
}

/** Even customers have chains, odd ones have none: an award would link an interrupted chain again. */
function scenarioOf(side: Side): Scenario {
  const parity = side === "with" ? 0 : 1;
  return {
    name: `awards ${side} chains`,
    path: "/api/storefront/point_allotments",
    connections: CONNECTIONS,
    hasKeys: false,
    isBare: false,
    hasReceiver: false,
    wanted: () => ({ customer: (sent[side]++ * 2 + parity) % CUSTOMERS, pointValue: 100 }),
  };
}
