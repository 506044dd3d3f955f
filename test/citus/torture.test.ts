import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { CustomerRow } from "../../src/customers/customer.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

// Three nodes of the service post the same sources for any customers, merge customers, and lose connections of the workers at any moment.

const NODES = 3;
const CUSTOMERS = 24;
const MERGES = 6;
const SOURCES = 150;
const KILL_EVERY_MS = 150;

let database: TestDatabase;
let nodes: TestService[];

beforeAll(async () => {
  database = await createTestDatabase();
  nodes = [];
  for (let i = 0; i < NODES; i++) nodes.push(await startTestService({ database, worker: false }));
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await database.drop();
});

const pick = <T>(items: readonly T[]): T => {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};

/** Posts a source for a customer through a node. Returns the source where the node said that this posting counted it. */
async function post({ deps }: TestService, customer: CustomerRow, sourceKey: string): Promise<string[]> {
  const pointValue = Math.random() < 0.3 ? -3n : 5n;
  const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
  const posting = { ...plainPosting(deps.random.uid(), "api", "torture", change), sourceKey };
  const outcomes = await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }])).catch((): never[] => []); // merged away meanwhile, or its connection was cut: nothing was said
  return outcomes[0]?.kind === "posted" ? [sourceKey] : [];
}

/** Cuts a connection of the coordinator to a worker, in the middle of whatever it does. Returns how many it cut. */
async function cut(): Promise<number> {
  const worker = pick(inject("databaseWorkers"));
  const client = new pg.Client({ ...database.connection, ...worker });
  client.on("error", () => {}); // it may be cut itself
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid)
    from (
      select pid
      from pg_stat_activity
      where datname = current_database()
        and pid <> pg_backend_pid()
        and application_name like 'citus_internal%'
      order by random()
      limit 1) one`,
  );
  await client.end();
  return rowCount ?? 0;
}

/** Ends what the cuts left prepared, as Citus itself does once a minute. */
async function recovered(): Promise<boolean> {
  return database.owner.query("select recover_prepared_transactions()").then(
    () => true,
    () => false,
  );
}

test("no source counts twice, nothing that was answered is lost, and the ledger holds", async () => {
  const first = nodes[0];
  if (first === undefined) throw new Error("no node");
  const customers: CustomerRow[] = [];
  for (let i = 0; i < CUSTOMERS; i++) customers.push(await makeCustomer(first.deps));
  let cuts = 0;
  const killing = setInterval(() => {
    cut().then(
      (count) => {
        cuts += count;
      },
      () => {},
    );
  }, KILL_EVERY_MS);
  const posted: string[] = [];
  const post3 = async (source: number) => {
    const tries = nodes.map((node) => post(node, pick(customers), `flow/${source}`));
    posted.push(...(await Promise.all(tries)).flat());
  };
  const merging = async () => {
    for (let i = 0; i < MERGES; i++) {
      const [removed, kept] = [customers[i], customers[CUSTOMERS - 1 - i]];
      if (removed === undefined || kept === undefined) throw new Error("no customer");
      await mergeInto(pick(nodes).deps, removed.storefrontId, kept.storefrontId).catch(() => {}); // cut: it did not happen
    }
  };
  const posting = async () => {
    for (let source = 0; source < SOURCES; source += 5)
      await Promise.all([0, 1, 2, 3, 4].map((n) => post3(source + n)));
  };
  await Promise.all([posting(), merging()]);
  clearInterval(killing);
  await waitUntil(() => recovered()); // a connection that was cut last is met once more

  expect(cuts).toBeGreaterThan(0);
  expect(posted.length).toBeGreaterThan(SOURCES / 4);
  expect(new Set(posted).size).toBe(posted.length);
  const kept = await database.db.query<{ source: string; n: bigint }>(
    "select source_key as source, count(*) as n from allotment where source_key like 'flow/%' group by source_key",
  );
  expect(kept.filter(({ n }) => n > 1n)).toEqual([]);
  const written = new Set(kept.map(({ source }) => source));
  expect(posted.filter((source) => !written.has(source))).toEqual([]);
  const routed = await database.db.query<{ source: string }>(
    "select source_key as source from counted_source where source_key like 'flow/%'",
  );
  expect(new Set(routed.map(({ source }) => source))).toEqual(written);
  const said: string[] = [];
  const verified = await verifyLedger(database.db, (line) => said.push(line));
  expect(said.filter((line) => line.startsWith("FAIL"))).toEqual([]);
  expect(verified.ok).toBe(true);
});
