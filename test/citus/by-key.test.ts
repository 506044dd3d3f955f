import { afterAll, beforeAll, expect, test } from "vitest";
import { listCustomers } from "../../src/admin/customers/list-customers.ts";
import { selectTimeline } from "../../src/admin/customers/queries.ts";
import { readLedgerPage } from "../../src/admin/ledger/read-ledger-page.ts";
import { NEWEST } from "../../src/admin/list.ts";
import type { Db, ReadDb } from "../../src/db/pool.ts";
import { selectAllotment } from "../../src/explain/allotment-queries.ts";
import { selectOrderPostings } from "../../src/explain/order-queries.ts";
import { type CustomerRef, refOf } from "../../src/ledger/customer-ref.ts";
import { readBalances } from "../../src/ledger/read/read-balances.ts";
import { selectBalances } from "../../src/metrics/customer-queries.ts";
import { lockCoupons, selectUses } from "../../src/orders/coupons/coupon-use-queries.ts";
import { selectPostingsOf } from "../../src/orders/order-queries.ts";
import { makeRichStore } from "../support/rich-store.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// Customers are on the coordinator, their points on the workers. What joins both for a few customers reads a few of each: Citus moves a whole table to
// the other side wherever a statement lets it.

const CUSTOMERS = 20_000;
const READ_MAX = 200;
const SEED = [
  `insert into customer (bucket, customer_uid, storefront_id, created_at)
select n % 256, (left(md5('c' || n), 30) || lpad(to_hex(n % 256), 2, '0'))::uuid, 'seeded' || n, timestamptz '2020-01-01'
from generate_series(1, ${CUSTOMERS}) n`,
  `insert into balance (bucket, customer_uid, ledger_points)
select bucket, customer_uid, 0
from customer
where storefront_id like 'seeded%'`,
  "analyze customer",
  "analyze balance",
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
});
afterAll(() => service.stop());

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
