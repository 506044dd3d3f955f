import { afterAll, beforeAll, expect, test } from "vitest";
import { selectActiveAt } from "../../src/explain/allotment-queries.ts";
import type { CustomerRef } from "../../src/ledger/customer-ref.ts";
import { readBalanceAt } from "../../src/ledger/read/read-balance-at.ts";
import { listCustomerAllotments } from "../../src/points/allotments/list-customer-allotments.ts";
import { readProgram } from "../../src/program/read-program.ts";
import { makeCustomer } from "../support/customers.ts";
import { rowsScanned } from "../support/rows-scanned.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A customer to whom a shop posts for years has a long history. What is shown of it must not cost more the longer it is.

const GAINS = 400;
// Later ones of other customers: the last activity of the store is not that of the customer.
const OTHERS = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key, app_reference,
  extends, program_version)
select n % 256, md5('c' || n)::uuid, 1, md5('a' || n)::uuid, (select max(allotted_at) from allotment) + n * interval '1 second', 'api', 5, 5,
  'api/other' || n, 'test', true, 1
from generate_series(1, 20000) n`;

let service: TestService;
let customer: CustomerRef & { readonly storefrontId: string };
beforeAll(async () => {
  service = await startTestService({ worker: false });
  customer = await makeCustomer(service.deps);
  const { storefrontId: customer_id } = customer;
  for (let n = 0; n < GAINS; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, () =>
        service.client.post("/api/storefront/point_allotments", { customer_id, point_value: 2 }),
      ),
    );
  await service.client.post("/api/storefront/point_allotments", { customer_id, point_value: 1 - 2 * GAINS });
  await service.owner.execute(OTHERS);
  await service.owner.execute("vacuum analyze allotment, draw, lot");
});
afterAll(() => service.stop());

test("a deep page of a customer's list by a filter sums the draws of its own rows", async () => {
  const query = { type: "api", page: 36, per_page: 10 } as const;
  const read = await rowsScanned(service.deps.db, "draw", async (db) => {
    const { rows } = await listCustomerAllotments({ ...service.deps, db }, customer.storefrontId, query);
    expect(rows.map(({ version, pointsDeducted }) => [version, pointsDeducted])).toEqual(
      Array.from({ length: 10 }, (_, n) => [BigInt(351 + n), 2n]),
    );
  });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(50);
});

test("the last activity before an allotment is read alone", async () => {
  const version = BigInt(GAINS);
  const read = await rowsScanned(service.deps.db, "allotment", async (db) => {
    expect(await selectActiveAt(db, customer, version)).not.toBeNull();
  });
  expect(read).toBeLessThan(10);
});

test("a balance of the past reads the last activity alone", async () => {
  const at = service.clock.now().add({ hours: 1 });
  const rules = { ...(await readProgram(service.deps.db)).expiration, timeZone: "UTC" };
  const read = await rowsScanned(service.deps.db, "allotment", async (db) => {
    expect(await readBalanceAt(db, customer, { at, newest: true, rules })).toMatchObject({ ledgerPoints: 1n });
  });
  expect(read).toBeLessThan(20);
});
