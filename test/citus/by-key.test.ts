import { afterAll, beforeAll, expect, test } from "vitest";
import { listCustomers } from "../../src/admin/customers/list-customers.ts";
import { selectTimeline } from "../../src/admin/customers/queries.ts";
import { selectRichest } from "../../src/admin/customers/richest-queries.ts";
import { readLedgerPage } from "../../src/admin/ledger/read-ledger-page.ts";
import { NEWEST, NEWEST_UID } from "../../src/admin/list.ts";
import { selectTailAllotments } from "../../src/commands/tail-queries.ts";
import { findCustomer } from "../../src/customers/find-customer.ts";
import type { Db, ReadDb } from "../../src/db/pool.ts";
import { selectAllotment } from "../../src/explain/allotment-queries.ts";
import { explainBalance } from "../../src/explain/explain-balance.ts";
import { selectOrderPostings } from "../../src/explain/order-queries.ts";
import { saveBlocks } from "../../src/explain/save-blocks.ts";
import { returnedSql } from "../../src/growth/benefit-queries.ts";
import { recordHistory } from "../../src/history/record-history.ts";
import { sumHistory } from "../../src/history/sum-history.ts";
import { selectNewerThan } from "../../src/imports/moved-points-queries.ts";
import { selectUnredacted } from "../../src/intake/unredacted-queries.ts";
import { lockBalances } from "../../src/ledger/balance-queries.ts";
import { type CustomerRef, refOf } from "../../src/ledger/customer-ref.ts";
import { holdPoints } from "../../src/ledger/holds/hold-points.ts";
import { readEndedHolds, writeHoldEnds } from "../../src/ledger/holds/hold-queries.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { readBalanceAt } from "../../src/ledger/read/read-balance-at.ts";
import { readBalances } from "../../src/ledger/read/read-balances.ts";
import { readCurrentBalance } from "../../src/ledger/read/read-current-balance.ts";
import { pointsClassOf } from "../../src/metrics/customer-metrics.ts";
import { selectBalances } from "../../src/metrics/customer-queries.ts";
import { addToCustomerSums } from "../../src/metrics/sum-queries.ts";
import { lockCoupons, selectUses } from "../../src/orders/coupons/coupon-use-queries.ts";
import { selectPostingsOf } from "../../src/orders/order-queries.ts";
import { listCustomerAllotments } from "../../src/points/allotments/list-customer-allotments.ts";
import { readExpiries } from "../../src/points/balances/read-expiries.ts";
import { readProgram } from "../../src/program/read-program.ts";
import { mergeInto } from "../support/customers.ts";
import { makeRichStore } from "../support/rich-store.ts";
import { rowsScanned, shardsAsked } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// Customers are on the coordinator, their points on the workers. What joins both for a few customers reads a few of each: Citus moves a whole table to
// the other side wherever a statement lets it.

const CUSTOMERS = 20_000;
const READ_MAX = 200;
const SEED = [
  `insert into customer (bucket, customer_uid, storefront_id, created_at)
select n % 256, (left(md5('c' || n), 30) || lpad(to_hex(n % 256), 2, '0'))::uuid, 'seeded' || n, timestamptz '2020-01-01'
from generate_series(1, ${CUSTOMERS}) n`,
  "update customer set deleted_at = timestamptz '2020-02-01' where storefront_id like 'seeded%7'",
  `insert into balance (bucket, customer_uid, ledger_points)
select bucket, customer_uid, 10
from customer
where storefront_id like 'seeded%'`,
  `insert into figure_customer (bucket, customer_uid, expiring, points_class, class_points)
select bucket, customer_uid, '', ${pointsClassOf(10n)}, 10
from customer
where storefront_id like 'seeded%'`,
  `insert into coupon (uid, code, bucket, customer_uid, point_value, currency_value, debit_version, issued_at, expires_at, due_at)
select gen_random_uuid(), 'SEEDED' || customer_uid, bucket, customer_uid, 10, 10, 1, created_at, 'infinity', 'infinity'
from customer
where storefront_id like 'seeded%'`,
  `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key, app_reference, extends,
  program_version)
select bucket, customer_uid, 1, customer_uid, timestamptz '2020-01-01', 'api', 10, 10, 'api/' || customer_uid, 'test', true, 1
from customer
where storefront_id like 'seeded%'`,
  "analyze allotment",
  "analyze coupon",
  "analyze customer",
  "analyze balance",
  "analyze figure_customer",
];

let service: TestService;
let ref: CustomerRef;
let allotmentUid: string;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await makeRichStore(service);
  for (const statement of SEED) await service.owner.execute(statement);
  const [row] = await service.deps.db.query<{ uid: string; customerUid: string }>(
    "select uid, customer_uid as \"customerUid\" from allotment where parent = 'order-O3'",
  );
  if (row === undefined) throw new Error("the order gave no points");
  ref = refOf(row.customerUid);
  allotmentUid = row.uid;
  await moveIn("c3", 40n);
  const held = { customer: ref, points: 5n, ttlSeconds: 900, appReference: "test" };
  await service.deps.db.tx((tx) => holdPoints(tx, service.deps, held));
});
afterAll(() => service.stop());

/** Points that another app stated, and an entry of its history. */
async function moveIn(storefrontId: string, points: bigint): Promise<void> {
  const { db, random } = service.deps;
  const customer = await findCustomer(db, storefrontId);
  const change = { kind: "add", pointValue: points, shortfall: "refuse" } as const;
  const posting = { ...plainPosting(random.uid(), "api", OTHER_APP, change), origin: "migration" as const };
  await db.tx(async (tx) => {
    await postAllotments(tx, service.deps, [{ customer, posting }]);
    const said = { occurredAt: LONG_AGO, importUid: FIRST_UID, n: 1n, points, source: OTHER_APP, note: null };
    await recordHistory(tx, [{ ...customer, ...said, kind: "earned" }]);
  });
  service.clock.advance({ seconds: 1 });
}

const OTHER_APP = "Other";
const FIRST_UID = "00000000-0000-0000-0000-000000000000";
const LONG_AGO = Temporal.Instant.from("2000-01-01T00:00:00Z");
const EVER = { after: { at: LONG_AGO, uid: FIRST_UID }, upTo: Temporal.Instant.from("2100-01-01T00:00:00Z") };
const CROWD = { hasClasses: true, rows: 20 };

const filters = {
  ...{ types: [], from: null, to: null, source: null, orderId: null, customer: null },
  ...{ direction: null, atLeast: null, atMost: null },
};

const READINGS: Readonly<Record<string, (db: Db & ReadDb) => Promise<{ readonly length: number }>>> = {
  "a balance": async (db) => [...(await readBalances(service.deps, db, [ref]))],
  "balances for the figures": async (db) => [...(await selectBalances(db, [ref], { isSliding: true }))],
  "the newest customers": async (db) => (await listCustomers({ ...service.deps, db }, {})).rows,
  "found customers": async (db) => (await listCustomers({ ...service.deps, db }, { q: "c3" })).rows,
  "a customer's history": (db) => selectTimeline(db, ref, { before: 9n, type: null }),
  "the ledger": async (db) => (await readLedgerPage({ db }, filters, { at: NEWEST, rows: 20 })).entries,
  "the customers of a crowd of the same points": (db) => selectRichest(db, { points: 11n, uid: NEWEST_UID }, CROWD),
  "customers to be erased": (db) => selectUnredacted(db, { bucket: 0, customerUid: FIRST_UID }),
  "those who are newer than a file": async (db) => [
    ...(await db.snapshot((tx) => selectNewerThan(tx, [ref], { uid: FIRST_UID, uploadedAt: LONG_AGO }))),
  ],
  "a balance at a past moment": async (db) => {
    const { expiration, store } = await readProgram(db);
    const rules = { ...expiration, timeZone: store.timeZone };
    return [await readBalanceAt(db, ref, { at: service.clock.now(), newest: false, rules })];
  },
  "the tail of the ledger": (db) => selectTailAllotments(db, { ...EVER, rows: 20, isNewest: true }),
  "an allotment": async (db) => [await selectAllotment(db, allotmentUid)],
  "what an order gave": (db) => selectOrderPostings(db, "O3"),
  "what an order posted, to post the rest": async (db) =>
    (await db.snapshot((tx) => selectPostingsOf(tx, ["O3"]))).get("O3") ?? [],
};

test.for(Object.entries(READINGS))("%s is read by key", async ([, read]) => {
  for (const table of ["customer", "balance"]) {
    const scanned = await rowsScanned(service.deps.db, table, async (db) =>
      expect((await read(db)).length).toBeGreaterThan(0),
    );
    expect(scanned, table).toBeLessThan(READ_MAX);
  }
});

// Each shard that is asked costs a statement of a worker, and needs that worker.
const OF_ONE: Readonly<Record<string, (db: Db & ReadDb) => Promise<unknown>>> = {
  "a balance": async (db) => expect(await readBalances(service.deps, db, [ref])).toHaveProperty("size", 1),
  "a balance as it is decided on": async (db) => {
    const { expiration, store } = await readProgram(db);
    await readCurrentBalance(db, ref, { ...expiration, timeZone: store.timeZone }, service.clock.now());
  },
  "a balance that is explained": async (db) => {
    await explainBalance({ ...service.deps, db }, "c3", { asOf: undefined, since: undefined });
    await saveBlocks({ ...service.deps, db }, "c3");
  },
  "what an order posted": (db) =>
    db.snapshot(async (tx) => expect((await selectPostingsOf(tx, ["O3"])).get("O3")).toHaveLength(1)),
  "a hold that is over, which ends": (db) =>
    db.snapshot(async (tx) => {
      const [balance] = await lockBalances(tx, [ref]);
      if (balance === undefined) throw new Error("c3 has no balance");
      const ends = await readEndedHolds(tx, [balance], service.clock.now().add({ hours: 1 }));
      const holdEnds = ends.get(ref.customerUid) ?? [];
      expect(holdEnds).toHaveLength(1);
      const nothing = { allotments: [], draws: [], lotsOpened: [], lotsChanged: [], lotsUsedUp: [], outcomes: [] };
      const change = { ...nothing, after: { ...balance, heldPoints: 0n }, holdEnds, isRedated: false, expiresAt: null };
      await writeHoldEnds(tx, [change]);
    }),
  "what another app gave before": async (db) => {
    const [history] = await sumHistory(db, ref, service.clock.now());
    expect(history).toMatchObject({ source: OTHER_APP, earned: 40n, movedIn: 40n });
  },
  "a customer's expiries": (db) => readExpiries({ ...service.deps, db }, ref),
  "a customer's allotments": (db) => listCustomerAllotments({ ...service.deps, db }, "c3", {}),
  "a customer's allotments of a type": (db) => listCustomerAllotments({ ...service.deps, db }, "c3", { type: "api" }),
};

test.for(Object.entries(OF_ONE))("%s: one shard is asked", async ([, read]) => {
  expect(await shardsAsked(service.deps.db, read)).toBe(1);
});

test("so are an order's coupons and their holders", async () => {
  for (const table of ["customer", "balance"]) {
    const scanned = await rowsScanned(service.deps.db, table, (db) =>
      db.snapshot(async (tx) => {
        expect(await lockCoupons(tx, ["UNKNOWN"])).toEqual([]);
        expect(await selectUses(tx, "O3")).toEqual([]);
      }),
    );
    expect(scanned, table).toBeLessThan(READ_MAX);
  }
});

test("so are the allotments that the daily walk adds to the sums of customers", async () => {
  const refs = await service.deps.db.query<CustomerRef>(
    'select bucket, customer_uid as "customerUid" from customer where storefront_id like $1',
    ["seeded12__"],
  );
  const unsummed = refs.map((each) => ({ ...each, from: 0n, to: 1n }));
  for (const table of ["allotment", "figure_customer"]) {
    const scanned = await rowsScanned(service.deps.db, table, (db) =>
      db.snapshot((tx) => addToCustomerSums(tx, unsummed)),
    );
    expect(scanned, table).toBeLessThan(READ_MAX);
  }
});

test("so are the coupons whose points came back, for the growth figures", async () => {
  const range = "select * from allotment where allotted_at > '2000-01-01'";
  const scanned = await rowsScanned(service.deps.db, "coupon", (db) => db.query(returnedSql(range)));
  expect(scanned).toBeLessThan(READ_MAX);
});

test("what another app gave to who was merged into a customer is counted, whichever shard has it", async () => {
  for (const [n, storefrontId] of ["c10", "c11", "c12"].entries()) {
    await moveIn(storefrontId, 5n);
    await mergeInto(service.deps, storefrontId, "c3");
    const [history] = await sumHistory(service.deps.db, ref, service.clock.now());
    expect(history).toMatchObject({ movedIn: 40n + 5n * BigInt(n + 1) });
  }
});
