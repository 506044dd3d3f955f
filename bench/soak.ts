import { parseArgs } from "node:util";
import type { Db } from "../src/db/pool.ts";
import { costOf, memoryOf, tableText } from "./cost.ts";
import { spawnServer, verifyLedger } from "./processes.ts";
import { runLoad } from "./run-load.ts";
import { scenariosOf } from "./scenarios.ts";
import { seedCustomers } from "./seed-customers.ts";
import { AUTHORIZATION, say, serviceEnv, withBenchDatabase, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Sends awards and debits without a pause, or at a steady rate. Prints rate, p99, cost and memory of each minute, and every ten minutes, for the hot
 * tables: bytes, dead rows, updates that wrote into no index, runs of autovacuum. Ends with a verified ledger.
 * `node bench/soak.ts [--minutes 60] [--customers 100000] [--rate 2000]`
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    customers: { type: "string", default: "100000" },
    rate: { type: "string" },
  },
});
const TABLES_EVERY = 10;
const MINUTE_S = 60;
const WARM_UP = 2_000;
const SCENARIO = "awards and 30 % debits, 128, spread";

const TABLES = `select s.relname as name,
  pg_table_size(s.relid)::bigint as bytes,
  pg_indexes_size(s.relid)::bigint as "indexBytes",
  s.n_live_tup as live,
  s.n_dead_tup as dead,
  s.n_tup_upd as updates,
  s.n_tup_hot_upd as "hotUpdates",
  s.autovacuum_count as vacuums,
  s.autoanalyze_count as analyzes
from pg_stat_user_tables s
where s.n_tup_ins + s.n_tup_upd + s.n_tup_del > 1000
order by pg_total_relation_size(s.relid) desc`;

interface TableState {
  readonly name: string;
  readonly bytes: bigint;
  readonly indexBytes: bigint;
  readonly live: bigint;
  readonly dead: bigint;
  readonly updates: bigint;
  readonly hotUpdates: bigint;
  readonly vacuums: bigint;
  readonly analyzes: bigint;
}

await withBenchFolder(async (dataDir) => {
  const env = serviceEnv(dataDir);
  const customers = Number(values.customers);
  await withBenchDatabase(env, (db) => seedCustomers(db, customers), "service");
  const server = await spawnServer(env);
  try {
    const scenario = scenariosOf(customers).find(({ name }) => name === SCENARIO);
    if (scenario === undefined) throw new Error("there is no such scenario");
    const target = { url: server.url, authorization: AUTHORIZATION };
    const pid = server.child.pid ?? 0;
    const rate = values.rate === undefined ? null : Number(values.rate);
    const minutes = Number(values.minutes);
    let { perSecond } = await runLoad(target, scenario, WARM_UP);
    for (let minute = 1; minute <= minutes; minute++) {
      const amount = Math.round((rate ?? perSecond) * MINUTE_S);
      const { result, cost } = await costOf(env, pid, () => runLoad(target, scenario, amount, rate));
      perSecond = result.perSecond;
      const each = (sum: number) => (sum / result.acknowledged).toFixed(0);
      say(
        `minute ${minute}: ${Math.round(perSecond)}/s, p50 ${result.p50Ms.toFixed(0)} ms, p99 ${result.p99Ms.toFixed(0)} ms, ` +
          `service ${each(cost.serviceUs)} us, database ${each(cost.databaseUs)} us, ${each(cost.walBytes)} bytes of WAL, ` +
          `${(await memoryOf(pid)).nowMb} MB`,
      );
      if (minute % TABLES_EVERY === 0 || minute === minutes) say(await withBenchDatabase(env, tablesText));
    }
  } finally {
    await server.stop();
  }
  say((await verifyLedger(env)).split("\n").at(-1) ?? "");
});

async function tablesText(db: Db): Promise<string> {
  const tables = await db.query<TableState & Record<string, unknown>>(TABLES);
  const mb = (bytes: bigint) => (Number(bytes) / 1e6).toFixed(1);
  return tableText([
    ["", "table MB", "indexes MB", "rows", "dead", "HOT of updates", "vacuums", "analyzes"],
    ...tables.map((t) => [
      t.name,
      mb(t.bytes),
      mb(t.indexBytes),
      String(t.live),
      String(t.dead),
      t.updates === 0n ? "" : `${((100 * Number(t.hotUpdates)) / Number(t.updates)).toFixed(0)} %`,
      String(t.vacuums),
      String(t.analyzes),
    ]),
  ]);
}
