import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { distribute } from "../../src/db/citus/distribute.ts";
import { hasCommittedEverywhere } from "../../src/db/citus/has-committed-everywhere.ts";
import type { Tx } from "../../src/db/pool.ts";
import { DROP_REPEATED_EMAILS } from "../../src/imports/check/drop-repeated-emails.ts";
import { validTierRow } from "../../src/imports/check/valid-row.ts";
import { insertRows, saveTierStandings } from "../../src/imports/row-queries.ts";
import { lockBalances } from "../../src/ledger/balance-queries.ts";
import type { CustomerRef } from "../../src/ledger/customer-ref.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

// What docs/decisions/0025-distributed-by-bucket.md says is always true on a Citus. Run by `npm run test:citus`.

const ROUNDS = 20;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

function post(customer: CustomerRef, sourceKey: string) {
  const { deps } = service;
  const uid = deps.random.uid();
  const posting = {
    ...plainPosting(uid, "api", "test", { kind: "add", pointValue: 5n, shortfall: "refuse" }),
    sourceKey,
  };
  return deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }]));
}

/** Customers whose balances lie on different workers. */
async function customersApart(): Promise<[CustomerRef, CustomerRef]> {
  const first = await makeCustomer(service.deps);
  for (;;) {
    const other = await makeCustomer(service.deps);
    const nodes = await service.deps.db.query<{ node: string }>(
      `select distinct s.nodeport::text as node
      from unnest($1::smallint[]) as k (bucket)
      join citus_shards s on s.shardid = get_shard_id_for_distribution_column('balance', k.bucket)`,
      [[first.bucket, other.bucket]],
    );
    if (nodes.length === 2) return [first, other];
  }
}

test("a source that comes for two customers of two nodes at once counts for one of them", async () => {
  const [here, there] = await customersApart();
  for (let round = 0; round < ROUNDS; round++) {
    const key = `flow/${randomUUID()}`;
    const settled = await Promise.allSettled([post(here, key), post(there, key), post(here, key), post(there, key)]);
    const posted = settled.filter((each) => each.status === "fulfilled" && each.value[0]?.kind === "posted");
    expect(posted).toHaveLength(1);
    const rows = await service.deps.db.query("select uid from allotment where source_key = $1", [key]);
    const sources = await service.deps.db.query("select uid from counted_source where source_key = $1", [key]);
    expect(rows).toHaveLength(1);
    expect(sources).toEqual(rows);
    expect((await post(there, key))[0]?.kind).toBe("duplicate");
  }
});

/** How many workers a transaction has prepared on, of those that its work wrote to. */
async function preparedBy(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const { db } = service.deps;
  const count = async () => {
    const [row] = await db.query<{ n: bigint }>("select count(*) as n from pg_dist_transaction");
    return Number(row?.n ?? 0n);
  };
  const before = await count();
  await db.tx(work);
  return (await count()) - before;
}

test("a transaction that locks a balance prepares on its worker before the coordinator commits", async () => {
  const customer = await makeCustomer(service.deps);
  const touch = (tx: Tx) =>
    tx.execute("update balance set owed_points = owed_points where bucket = $1 and customer_uid = $2", [
      customer.bucket,
      customer.customerUid,
    ]);
  // Citus by itself commits on one worker first, and on the coordinator then.
  expect(await preparedBy(touch)).toBe(0);
  const lockAndTouch = async (tx: Tx) => {
    expect(await lockBalances(tx, [customer])).toHaveLength(1);
    return touch(tx);
  };
  expect(await preparedBy(lockAndTouch)).toBe(1);
});

test("a transaction that locks a balance has a number of the coordinator's, by which the settled mark waits", async () => {
  const customer = await makeCustomer(service.deps);
  await service.deps.db.tx(async (tx) => {
    await lockBalances(tx, [customer]);
    const [row] = await tx.query<{ xid: string | null }>("select pg_current_xact_id_if_assigned()::text as xid");
    expect(row?.xid).toMatch(/^\d+$/);
  });
});

test("what a worker holds prepared is not committed everywhere", async () => {
  const [worker] = inject("databaseWorkers");
  const client = new pg.Client({ ...service.connection, ...worker });
  await client.connect();
  const { db } = service.deps;
  try {
    expect(await hasCommittedEverywhere(db)).toBe(true);
    await client.query("begin");
    await client.query("create table beside (n integer)");
    await client.query("prepare transaction 'citus_test'");
    expect(await hasCommittedEverywhere(db)).toBe(false);
    await client.query("commit prepared 'citus_test'");
    expect(await hasCommittedEverywhere(db)).toBe(true);
  } finally {
    await client.end();
  }
});

test("balances of several nodes are locked at once, in one order whoever asks", async () => {
  const [here, there] = await customersApart();
  const both = (refs: readonly CustomerRef[]) => service.deps.db.tx((tx) => lockBalances(tx, refs));
  const locked = await Promise.all(
    Array.from({ length: ROUNDS }, (_, i) => both(i % 2 === 0 ? [here, there] : [there, here])),
  );
  for (const rows of locked)
    expect(new Set(rows.map((row) => row.customerUid))).toEqual(new Set([here.customerUid, there.customerUid]));
});

test("repeated addresses of a file are dropped by row, though each shard has rows at the same places", async () => {
  const [here, there] = await customersApart();
  const file = randomUUID();
  const rows: readonly (readonly [bucket: number, n: number, email: string])[] = [
    [here.bucket, 1, "same@example.com"],
    [here.bucket, 2, "second@example.com"],
    [there.bucket, 3, "third@example.com"],
    [there.bucket, 4, "same@example.com"],
  ];
  for (const [bucket, n, email] of rows)
    await service.owner.execute(
      `insert into import_profile (import_uid, bucket, n, line, storefront_id, profile)
      values ($1, $2, $3, $3, $4, jsonb_build_object('email', $5::text))`,
      [file, bucket, n, `${file}/${n}`, email],
    );
  await service.deps.db.tx((tx) => tx.execute(DROP_REPEATED_EMAILS, [file]));
  const left = await service.owner.query("select n::integer from import_profile where import_uid = $1 order by n", [
    file,
  ]);
  expect(left).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("the standings of a batch of tiers are stored in its own rows, whichever shards have them", async () => {
  const apart = (await customersApart()).toSorted((a, b) => a.bucket - b.bucket);
  const file = randomUUID();
  const rows = apart.map((customer, at) => validTierRow({ n: at + 1, line: at + 1, cells: [] }, customer, NO_UPDATE));
  const other = validTierRow({ n: 99, line: 99, cells: [] }, { bucket: 0, customerUid: file }, NO_UPDATE);
  const before = { tierUid: null, minimumTierUid: null, skipNextCheck: false };
  await service.deps.db.tx((tx) => insertRows(tx, file, [...rows, other]));
  await service.deps.db.tx((tx) =>
    saveTierStandings(
      tx,
      file,
      rows.map((row) => ({ row, before, after: { ...before, skipNextCheck: true } })),
    ),
  );
  const kept = await service.owner.query(
    "select n::integer from import_row where import_uid = $1 and before is not null and after is not null order by n",
    [file],
  );
  expect(kept).toEqual([{ n: 1 }, { n: 2 }]);
});

const NO_UPDATE = {
  named: "",
  update: { tier: undefined, minimumTier: undefined, skipNextCheck: undefined },
  keepUntil: null,
};

test("a store that is distributed is not distributed again", async () => {
  expect(await distribute(service.connection)).toEqual([]);
});
