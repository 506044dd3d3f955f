import { join } from "node:path";
import { parseArgs } from "node:util";
import { costOf, median, tableText } from "./cost.ts";
import { type Running, spawnServer } from "./processes.ts";
import { runLoad } from "./run-load.ts";
import { type Scenario, scenariosOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { AUTHORIZATION, say, serviceEnv, withBenchDatabase, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures the cost of the request log of credentials: two services, one with it and one without, receive the same requests in turns.
 * `node bench/request-log.ts [--rounds 4] [--requests 20000]` (Linux)
 */
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "4" }, requests: { type: "string", default: "20000" } },
});
const ROUNDS = Number(values.rounds);
const REQUESTS = Number(values.requests);
const CUSTOMERS = 10_000;
const STEADY = { requests: 500, perSecond: 50 };

interface Load {
  readonly scenario: Scenario;
  readonly requests: number;
  readonly perSecond: number | null;
}

interface Side {
  readonly env: Record<string, string>;
  readonly server: Running;
}

function loads(): readonly (readonly [string, Load])[] {
  const named = (name: string): Scenario => {
    const found = scenariosOf(CUSTOMERS).find((scenario) => scenario.name === name);
    if (found === undefined) throw new Error(`the scenario ${name} is gone`);
    return found;
  };
  const fast = { requests: REQUESTS, perSecond: null };
  return [
    ["empty route, 128 connections", { ...fast, scenario: named("empty route, 128"), requests: 3 * REQUESTS }],
    ["awards, 128 connections", { ...fast, scenario: named("awards, 128, spread") }],
    [`awards, ${STEADY.perSecond} a second`, { ...STEADY, scenario: named("awards, 1") }],
  ];
}

async function startSide(folder: string, hours: string): Promise<Side> {
  const env = serviceEnv(join(folder, `data-${hours}`), { POINTKEEPER_KEEP_REQUESTS_HOURS: hours });
  await withBenchDatabase(env, (db) => seedCustomers(db, CUSTOMERS), "service");
  return { env, server: await spawnServer(env) };
}

/** Returns the microseconds of service and database per request. */
async function usOf({ env, server }: Side, { scenario, requests, perSecond }: Load): Promise<number> {
  const { cost } = await costOf(env, server.child.pid ?? 0, () =>
    runLoad({ url: server.url, authorization: AUTHORIZATION }, scenario, requests, perSecond),
  );
  return (cost.serviceUs + cost.databaseUs) / requests;
}

await withBenchFolder(async (folder) => {
  const sides = { without: await startSide(folder, "0"), with: await startSide(folder, "24") };
  const rows = [["us a request, service and database", "without", "with", "more"]];
  try {
    for (const [name, load] of loads()) {
      const us: Record<keyof typeof sides, number[]> = { without: [], with: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        for (const side of round % 2 === 0 ? (["without", "with"] as const) : (["with", "without"] as const)) {
          const took = await usOf(sides[side], load);
          if (round > 0) us[side].push(took); // the first round is warm-up only
        }
      }
      const [without, and] = [median(us.without), median(us.with)];
      say(`${name}: without ${us.without.map((n) => n.toFixed(1))}, with ${us.with.map((n) => n.toFixed(1))}`);
      rows.push([name, without.toFixed(1), and.toFixed(1), `${(((and - without) / without) * 100).toFixed(1)} %`]);
    }
  } finally {
    await Promise.all([sides.without.server.stop(), sides.with.server.stop()]);
  }
  process.stdout.write(`\n${tableText(rows)}\n`);
});
