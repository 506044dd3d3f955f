import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { newSecretKey, secretKeyPath, writeSecretKeys } from "../src/credentials/secret-key-file.ts";
import type { Deps } from "../src/deps.ts";
import { ensureLedgerKey } from "../src/ledger/key/ensure-ledger-key.ts";
import { aggregateCustomers } from "../src/metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../src/metrics/aggregate-metrics.ts";
import { countStoreCustomers } from "../src/metrics/count-store-customers.ts";
import { advanceBookmarks } from "../src/points/allotments/advance-bookmarks.ts";
import { createStaff } from "../src/staff/create-staff.ts";
import { costOf, memoryOf, tableText } from "./cost.ts";
import { cpuOf, type Running, spawnServer, verifyLedger } from "./processes.ts";
import { runLoad } from "./run-load.ts";
import { type ExportTime, measureExport, measureReads, type ReadTarget, type ReadTime, signIn } from "./scale-reads.ts";
import { EMPTY_PATH, type Scenario, scenariosOf } from "./scenarios.ts";
import { sealLedger } from "./seal-ledger.ts";
import { ALLOTMENTS_A_CUSTOMER, seedLedger } from "./seed-ledger.ts";
import { AUTHORIZATION, serviceEnv, withBenchDatabase, withBenchDeps } from "./with-bench-deps.ts";

const SIZES = [100_000, 1_000_000, 10_000_000];
const PERSON = { email: "bench@store.example", password: "correct horse battery staple" };
const CONNECTIONS = 128;
/** Awards go to customers who are far apart in the tables. */
const STRIDE = 7_919;
const WARM_UP = 2_000;

/** The figures of one store, by name. */
interface StoreFigures {
  readonly allotments: number;
  readonly figures: ReadonlyMap<string, number>;
  readonly reads: readonly ReadTime[];
}

export interface ScaleOptions {
  /** The largest number of allotments; each smaller one is measured too. */
  readonly upTo: number;
  readonly seconds: number;
  /** Where the stores are created, or already exist, and are kept; absent: a folder that is removed. */
  readonly folder: string | undefined;
  readonly json: boolean;
}

/** Measures the same work on stores of 0.1, 1 and 10 million allotments, ten per customer, and prints what grows with them. */
export async function benchScale(options: ScaleOptions): Promise<void> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "pointkeeper-bench-")));
  const stores: StoreFigures[] = [];
  try {
    for (const allotments of SIZES.filter((size) => size <= options.upTo)) {
      stores.push(await measureStore(join(folder, String(allotments)), allotments, options.seconds));
      process.stderr.write(`${reportText(stores)}\n`);
    }
  } finally {
    if (options.folder === undefined)
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  const report = stores.map((store) => ({ ...store, figures: Object.fromEntries(store.figures) }));
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : `${reportText(stores)}\n`);
}

async function measureStore(dataDir: string, allotments: number, seconds: number): Promise<StoreFigures> {
  const customers = allotments / ALLOTMENTS_A_CUSTOMER;
  const figures = new Map<string, number>();
  const env = serviceEnv(dataDir);
  const clock = { now: () => Temporal.Now.instant() };
  say(`${allotments} allotments of ${customers} customers`);
  await writeSecretKeys(secretKeyPath(dataDir), [newSecretKey()], "fresh"); // the service decrypts what is sealed here
  await withBenchDeps(dataDir, clock, async (deps) => {
    if (!(await hasCustomers(deps))) {
      await ensureLedgerKey(deps); // before there are points, which can only be linked with the key
      figures.set("seeded, s", await secondsOf(() => seedLedger(deps.db, customers)));
      figures.set("chained and signed, s", await secondsOf(() => sealLedger(deps)));
      await createStaff(deps, { ...PERSON, name: "bench", role: "owner" });
    }
    await measureJobs(deps, figures, { allotments, customers });
    await measureSizes(deps, figures, allotments);
  });
  let server: Running | undefined;
  let reads: readonly ReadTime[] = [];
  figures.set(
    "start, s",
    await secondsOf(async () => {
      server = await spawnServer(env);
    }),
  );
  if (server === undefined) throw new Error("there is no server");
  try {
    const { url, child } = server;
    const target = { url, authorization: AUTHORIZATION, cookie: await signIn(url, PERSON) };
    const pid = child.pid ?? 0;
    figures.set("until the other read models caught up, s", await secondsOf(() => waitUntilCalm(pid, dataDir)));
    reads = await measureReads(target, { customers, allotments }, async () => {
      const { serviceUs, databaseUs } = await cpuOf(pid, dataDir);
      return serviceUs + databaseUs;
    });
    await measureAwards(target, figures, { env, pid, customers, seconds });
    await measureStatement(target, figures, { env, pid });
    await writeAnswersAway(env);
  } finally {
    await server.stop();
  }
  for (const workers of ["1", "4"]) {
    const work = async () => say((await verifyLedger(env, "--workers", workers)).split("\n").at(-1) ?? "");
    figures.set(`verify with ${workers === "1" ? "one worker" : `${workers} workers`}, s`, await secondsOf(work));
  }
  return { allotments, figures, reads };
}

const CALM = { windowMs: 5_000, cpuShare: 0.15, windows: 2, giveUpMs: 1_800_000 };

/**
 * Waits until the service and its database do nothing more by themselves: a store that was just seeded has its growth, liability and orders still to be
 * counted, and its tables to be vacuumed, which no store in use has at once.
 */
async function waitUntilCalm(pid: number, dataDir: string): Promise<void> {
  const giveUpAt = performance.now() + CALM.giveUpMs;
  for (let calm = 0; calm < CALM.windows && performance.now() < giveUpAt; ) {
    const before = await cpuOf(pid, dataDir);
    await delay(CALM.windowMs);
    const after = await cpuOf(pid, dataDir);
    const usedUs = after.serviceUs + after.databaseUs - before.serviceUs - before.databaseUs;
    calm = usedUs < CALM.windowMs * 1_000 * CALM.cpuShare ? calm + 1 : 0;
  }
}

async function hasCustomers({ db }: Deps): Promise<boolean> {
  return (await db.query("select from balance limit 1")).length > 0;
}

/** Measures the jobs that process the complete ledger, per allotment and per customer. */
async function measureJobs(
  deps: Deps,
  figures: Map<string, number>,
  { allotments, customers }: { readonly allotments: number; readonly customers: number },
): Promise<void> {
  const each = async (name: string, count: number, work: () => Promise<unknown>) => {
    figures.set(name, ((await secondsOf(work)) * 1e6) / count);
  };
  await each("bookmarks, us an allotment", allotments, () => advanceBookmarks(deps));
  await each("figures by day, us an allotment", allotments, async () => {
    while (!(await aggregateMetrics(deps)));
  });
  await each("figures of customers, us a customer", customers, async () => {
    while (!(await aggregateCustomers(deps)));
  });
  await each("customers counted, us a customer", customers, () => countStoreCustomers(deps));
}

const SIZES_TEXT = `select c.relname as name,
  pg_relation_size(c.oid)::bigint as bytes
from pg_class c
where c.relnamespace = 'public'::regnamespace
  and c.relkind in ('r', 'i')
order by 2 desc
limit 16`;

/** The largest tables and indexes, in bytes per allotment. */
async function measureSizes({ db }: Deps, figures: Map<string, number>, allotments: number): Promise<void> {
  const [whole] = await db.query<{ bytes: bigint }>("select pg_database_size(current_database())::bigint as bytes");
  figures.set("bytes an allotment: all", Number(whole?.bytes ?? 0n) / allotments);
  for (const { name, bytes } of await db.query<{ name: string; bytes: bigint }>(SIZES_TEXT)) {
    figures.set(`bytes an allotment: ${name}`, Number(bytes) / allotments);
  }
}

async function measureAwards(
  target: ReadTarget,
  figures: Map<string, number>,
  of: {
    readonly env: Record<string, string>;
    readonly pid: number;
    readonly customers: number;
    readonly seconds: number;
  },
): Promise<void> {
  let sent = 0;
  const wanted = () => ({ customer: (sent++ * STRIDE) % of.customers, pointValue: 1 });
  const base = scenariosOf(of.customers).find(({ name }) => name === "awards, 128, spread");
  if (base === undefined) throw new Error("there is no such scenario");
  const award: Scenario = { ...base, wanted };
  const empty: Scenario = { ...award, path: EMPTY_PATH };
  const amounts = new Map<Scenario, number>();
  for (const scenario of [empty, award]) {
    const { perSecond } = await runLoad(target, scenario, WARM_UP);
    amounts.set(scenario, Math.max(CONNECTIONS, Math.round(perSecond * of.seconds)));
  }
  for (const [name, scenario] of [
    ["empty route", empty],
    ["awards", award],
  ] as const) {
    const amount = amounts.get(scenario) ?? CONNECTIONS;
    const { result, cost } = await costOf(of.env, of.pid, () => runLoad(target, scenario, amount));
    figures.set(`${name}: a second`, result.perSecond);
    figures.set(`${name}: p50, ms`, result.p50Ms);
    figures.set(`${name}: p99, ms`, result.p99Ms);
    figures.set(`${name}: service, us`, cost.serviceUs / result.acknowledged);
    figures.set(`${name}: database, us`, cost.databaseUs / result.acknowledged);
    figures.set(`${name}: log of the database, bytes`, cost.walBytes / result.acknowledged);
  }
}

async function measureStatement(
  target: ReadTarget,
  figures: Map<string, number>,
  { env, pid }: { readonly env: Record<string, string>; readonly pid: number },
): Promise<void> {
  figures.set("service before the export, MB", (await memoryOf(pid)).nowMb);
  const { result, cost } = await costOf(env, pid, () => measureExport(target));
  const { seconds, rows, bytes }: ExportTime = result;
  figures.set("export: service, us a customer", cost.serviceUs / rows);
  figures.set("export: database, us a customer", cost.databaseUs / rows);
  figures.set("export, s", seconds);
  figures.set("export, s a million customers", (seconds * 1e6) / rows);
  figures.set("export, MB of file", bytes / 1e6);
  figures.set("service at its peak, MB", (await memoryOf(pid)).peakMb);
}

/** Removes earlier exports, so that a kept store accepts the next one, of which there is one in 8 hours. */
async function writeAnswersAway(env: Record<string, string>): Promise<void> {
  await withBenchDatabase(env, async (db) => {
    await db.execute("delete from export_piece");
    await db.execute("delete from export");
  });
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1_000;
}

/** The displayed values of a read. */
const PICKS: readonly ((time: ReadTime) => number)[] = [
  ({ p50Ms }) => p50Ms,
  ({ leastMs }) => leastMs,
  ({ cpuMs }) => cpuMs,
];

function reportText(stores: readonly StoreFigures[]): string {
  const names = [...new Set(stores.flatMap(({ figures }) => [...figures.keys()]))];
  const readNames = (stores[0]?.reads ?? []).map(({ name }) => name);
  const head = ["", ...stores.map(({ allotments }) => allotments.toLocaleString("en")), "last : first"];
  const row = (name: string, values: readonly (number | undefined)[]) => {
    const [first, last] = [values[0], values.at(-1)];
    const ratio = first === undefined || last === undefined || first === 0 ? "" : (last / first).toFixed(2);
    return [name, ...values.map((value) => (value === undefined ? "" : shown(value))), ratio];
  };
  const reads = readNames.map((name, i) => {
    const of = stores.flatMap((store) => store.reads[i] ?? []);
    const ratio = (pick: (time: ReadTime) => number) => {
      const [first, last] = [of[0], of.at(-1)];
      return first === undefined || last === undefined ? "" : (pick(last) / pick(first)).toFixed(2);
    };
    const times = of.map((time) => PICKS.map((pick) => shown(pick(time))).join(" / "));
    return [name, ...times, PICKS.map(ratio).join(" / ")];
  });
  const rows = names.map((name) =>
    row(
      name,
      stores.map(({ figures }) => figures.get(name)),
    ),
  );
  return `\n${tableText([head, ...rows])}\n\n${tableText([[...head.with(0, "p50 / least / processor time of one read, ms")], ...reads])}`;
}

function shown(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en");
  return value.toFixed(value < 10 ? 2 : 1);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
