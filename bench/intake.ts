import { parseArgs } from "node:util";
import type { Deps } from "../src/deps.ts";
import { processAllReceipts } from "../src/intake/process-all-receipts.ts";
import { readEvents } from "../src/intake/read-events.ts";
import { storeReceipts } from "../src/intake/store-receipts.ts";
import { plainPosting } from "../src/ledger/posting.ts";
import { changeProgram } from "../src/tiers/change-program.ts";
import { countedDb } from "./counted-db.ts";
import { CUSTOMERS, FIRST_CUSTOMER, orderEvent, PROGRAM } from "./order-event.ts";
import { cpuOf } from "./processes.ts";
import { seedCustomers } from "./seed-customers.ts";
import { say, withBenchDeps, withBenchFolder } from "./with-bench-deps.ts";

const LIST = 100;
const STARTED_AT = Temporal.Instant.from("2026-02-01T00:00:00Z");
const NOW = Temporal.Instant.from("2026-02-02T00:00:00Z");

/**
 * Measures receiving and processing an order, compared with an award of the same run: processor time of service and database, statements,
 * transactions and WAL. Each order has one event with two lines that are not shipped, thus two allotments. The orders arrive in lists of 100 and are
 * processed as a backlog, or arrive and are processed one by one.
 * `node bench/intake.ts [--events 1000] [--rounds 3]`
 */
const { values } = parseArgs({
  options: { events: { type: "string", default: "1000" }, rounds: { type: "string", default: "3" } },
});
await withBenchFolder((dataDir) => withBenchDeps(dataDir, { now: () => NOW }, (deps) => bench(deps, dataDir)));

async function bench(plain: Deps, dataDir: string): Promise<void> {
  const { db, counts } = countedDb(plain.db);
  const deps = { ...plain, db };
  const events = Number(values.events);
  let made = 0;
  const next = (count: number) => Array.from({ length: count }, () => orderEvent(made++));
  await changeProgram(plain, { document: PROGRAM, author: "bench", isDryRun: false, isNow: false });
  await seedCustomers(db, CUSTOMERS, STARTED_AT);
  await take(deps, next(LIST));
  await processAllReceipts(deps);
  await award(deps, LIST);

  async function measure(what: string, work: () => Promise<unknown>): Promise<void> {
    const before = { ...counts, ...(await cpuOf(process.pid, dataDir)), wal: await walBytes(plain) };
    await work();
    const after = { ...counts, ...(await cpuOf(process.pid, dataDir)), wal: await walBytes(plain) };
    const each = (name: keyof typeof before): string => ((after[name] - before[name]) / events).toFixed(1);
    say(
      `${what}: service ${each("serviceUs")} us, database ${each("databaseUs")} us, ${each("statements")} statements, ` +
        `${each("transactions")} transactions, ${each("wal")} bytes of WAL`,
    );
  }

  for (let round = 0; round < Number(values.rounds); round++) {
    await measure("an award", () => award(plain, events));
    await measure("taken in lists of 100", async () => {
      for (let n = 0; n < events; n += LIST) await take(deps, next(Math.min(LIST, events - n)));
    });
    await measure("processed as a backlog", () => processAllReceipts(deps));
    await measure("taken and processed one by one", async () => {
      for (const event of next(events)) {
        await take(deps, [event]);
        await processAllReceipts(deps);
      }
    });
  }
  await confirmAwarded(deps, made);
}

async function take(deps: Deps, events: readonly object[]): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify(events));
  const sent = await readEvents(deps, body, { isStrict: true });
  const receipts = sent.flatMap((event) => (event.ok ? [event.receipt] : []));
  await deps.db.tx((tx) => storeReceipts(tx, deps, receipts));
}

/** Posts like the REST interface, in full batches of its queue. */
async function award({ postings, random }: Deps, count: number): Promise<void> {
  for (let n = 0; n < count; n += LIST) {
    const batch = Array.from({ length: Math.min(LIST, count - n) }, (_, i) =>
      postings.post({
        storefrontId: String(FIRST_CUSTOMER + ((n + i) % CUSTOMERS)),
        posting: plainPosting(random.uid(), "manual", "bench", { kind: "add", pointValue: 5n, shortfall: "refuse" }),
        claim: null,
        render: () => ({ status: 201, headers: {}, body: "{}" }),
      }),
    );
    await Promise.all(batch);
  }
}

async function walBytes({ db }: Deps): Promise<number> {
  const [row] = await db.query<{ bytes: bigint }>("select (pg_current_wal_lsn() - '0/0')::bigint as bytes");
  return Number(row?.bytes ?? 0n);
}

/** Throws if an order was not completely processed, or did not result in two allotments. */
async function confirmAwarded({ db }: Deps, orders: number): Promise<void> {
  const [row] = await db.query<{ done: bigint; posted: bigint }>(`select
    (select count(*) from receipt where state = 'done') as done,
    (select count(*) from order_posting where version is not null) as posted`);
  const { done, posted } = row ?? { done: 0n, posted: 0n };
  if (done !== BigInt(orders) || posted !== BigInt(2 * orders)) {
    throw new Error(`of ${orders} orders ${done} were processed, with ${posted} allotments`);
  }
}
