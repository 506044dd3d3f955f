import { parseArgs } from "node:util";
import type { Deps } from "../src/deps.ts";
import { ensureLedgerKey } from "../src/ledger/key/ensure-ledger-key.ts";
import { postAllotments } from "../src/ledger/post-allotments.ts";
import { plainPosting } from "../src/ledger/posting.ts";
import { type CpuTime, cpuOf } from "./processes.ts";
import { seedCustomers } from "./seed-customers.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

/**
 * Measures the cost of chains for an award. Rounds with and without the key of the ledger alternate; each side posts to its own customers, in batches
 * of the queue's size. `node bench/chain.ts [--rounds 12] [--awards 20000] [--batch 40]`
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "12" },
    awards: { type: "string", default: "20000" },
    batch: { type: "string", default: "40" },
  },
});
const rounds = Number(values.rounds);
const awards = Number(values.awards);
const batch = Number(values.batch);
const CUSTOMERS = 20_000;

interface Sum {
  serviceUs: number;
  databaseUs: number;
  walBytes: number;
  seconds: number;
  awards: number;
}

interface Customer {
  readonly bucket: number;
  readonly customerUid: string;
}

const clock = { now: () => Temporal.Now.instant().round({ smallestUnit: "microsecond", roundingMode: "trunc" }) };
await withBenchFolder((dataDir) => withBenchDeps(dataDir, clock, (deps) => bench(deps, dataDir)));

async function bench(deps: Deps, dataDir: string): Promise<void> {
  await ensureLedgerKey(deps);
  await seedCustomers(deps.db, CUSTOMERS);
  const customers = await deps.db.query<Customer>(
    'select bucket, customer_uid as "customerUid" from balance order by customer_uid',
  );
  const sides = { with: customers.filter((_, i) => i % 2 === 0), without: customers.filter((_, i) => i % 2 === 1) };
  const sums = { with: empty(), without: empty() };
  for (let round = -2; round < rounds; round++) {
    const name = round % 2 === 0 ? "with" : "without";
    await deps.db.execute("update ledger_key set retired_at = $1", [name === "with" ? null : clock.now()]);
    await deps.db.execute("checkpoint"); // full pages are written to the log once after it, the same in every round
    const sum = await measure(deps, dataDir, sides[name]);
    if (round >= 0) add(sums[name], sum); // the first two are warm-up
    say(`${name.padEnd(8)} ${text(sum)}`);
  }
  await deps.db.execute("update ledger_key set retired_at = null");
  say(`\nwith     ${text(sums.with)}\nwithout  ${text(sums.without)}`);
  const ratio = (pick: (sum: Sum) => number) => (pick(sums.with) / pick(sums.without)).toFixed(3);
  const cpu = ({ serviceUs, databaseUs }: Sum) => serviceUs + databaseUs;
  say(
    `ratio    service ${ratio((s) => s.serviceUs)}, database ${ratio((s) => s.databaseUs)}, both ${ratio(cpu)}, log ${ratio((s) => s.walBytes)}`,
  );
  const [size] = await deps.db.query<{ with: string; without: string }>(`select
    round(avg(pg_column_size(a.*)) filter (where a.chain is not null), 1)::text as with,
    round(avg(pg_column_size(a.*)) filter (where a.chain is null), 1)::text as without
    from allotment a`);
  say(`an allotment's row: ${size?.with} bytes with, ${size?.without} without`);
}

async function measure(deps: Deps, dataDir: string, customers: readonly Customer[]): Promise<Sum> {
  const [before, walBefore, startedMs] = [await cpuOf(process.pid, dataDir), await wal(deps), performance.now()];
  for (let n = 0; n < awards; n += batch)
    await deps.db.tx((tx) => postAllotments(tx, deps, postingsOf(deps, customers, n)));
  const after: CpuTime = await cpuOf(process.pid, dataDir);
  return {
    serviceUs: after.serviceUs - before.serviceUs,
    databaseUs: after.databaseUs - before.databaseUs,
    walBytes: (await wal(deps)) - walBefore,
    seconds: (performance.now() - startedMs) / 1_000,
    awards,
  };
}

function postingsOf(deps: Deps, customers: readonly Customer[], from: number) {
  return Array.from({ length: batch }, (_, i) => {
    const customer = customers[(from + i * 7_919) % customers.length] ?? customers[0];
    if (customer === undefined) throw new Error("there are no customers");
    const change = { kind: "add", pointValue: 120n, shortfall: "refuse" } as const;
    const plain = plainPosting(deps.random.uid(), "api", "bench", change);
    return { customer, posting: { ...plain, extends: "credit", reasonType: "reward" } as const };
  });
}

async function wal({ db }: Deps): Promise<number> {
  const [row] = await db.query<{ bytes: string }>("select (pg_current_wal_lsn() - '0/0')::text as bytes");
  return Number(row?.bytes);
}

function empty(): Sum {
  return { serviceUs: 0, databaseUs: 0, walBytes: 0, seconds: 0, awards: 0 };
}

function add(sum: Sum, more: Sum): void {
  sum.serviceUs += more.serviceUs;
  sum.databaseUs += more.databaseUs;
  sum.walBytes += more.walBytes;
  sum.seconds += more.seconds;
  sum.awards += more.awards;
}

function text(sum: Sum): string {
  const each = (value: number) => (value / sum.awards).toFixed(1);
  return `${each(sum.serviceUs)} us service + ${each(sum.databaseUs)} us database, ${each(sum.walBytes)} bytes of log an award; ${Math.round(sum.awards / sum.seconds)} awards/s`;
}
