import { afterAll, beforeAll, expect, test } from "vitest";
import { type CustomersQuery, listCustomers } from "../../src/admin/customers/list-customers.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// Half a million customers who have the points of the signup, and little else, are one class of points.

const CUSTOMERS = 13_000;
const SEED = [
  `insert into customer (bucket, customer_uid, storefront_id, created_at)
select n % 256, md5('c' || n)::uuid, 'c' || n, timestamptz '2026-01-01'
from generate_series(1, ${CUSTOMERS}) n`,
  `insert into balance (bucket, customer_uid, ledger_points)
select n % 256, md5('c' || n)::uuid, case when n <= 3 then 5000 when n <= 70 then 511 - n % 5 else 500 end
from generate_series(1, ${CUSTOMERS}) n`,
  `insert into figure_customer (bucket, customer_uid, expiring, points_class, class_points)
select bucket, customer_uid, '', floor(2 * log(2, ledger_points)), ledger_points
from balance`,
  "analyze customer, balance, figure_customer",
];
const EXACT = `select customer_uid as uid
from balance
order by ledger_points desc, customer_uid desc
limit 200`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  await aggregateAll(service.deps);
  for (const statement of SEED) await service.owner.execute(statement);
});
afterAll(() => service.stop());

test.each(["balance", "figure_customer"])(
  "a page of a class of very many customers reads few rows of %s",
  async (table) => {
    const uids: string[] = [];
    let query: CustomersQuery = { sort: "points" };
    const read = await rowsScanned(service.deps.db, table, async (db) => {
      for (let page = 0; page < 4; page++) {
        const { rows, next } = await listCustomers({ ...service.deps, db }, query);
        uids.push(...rows.map(({ customerUid }) => customerUid));
        query = { ...query, after: next ?? "" };
      }
    });
    const exact = await service.owner.query<{ uid: string }>(EXACT);
    expect(uids).toEqual(exact.map(({ uid }) => uid));
    // of the classes' index up to 12,001 entries a page are counted
    expect(read).toBeLessThan(table === "balance" ? 1_000 : 4 * 16_000);
  },
);
