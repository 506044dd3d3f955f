import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db, Queryable } from "../../src/db/pool.ts";
import type { Deps } from "../../src/deps.ts";
import { selectActiveAt } from "../../src/explain/allotment-queries.ts";
import type { CustomerRef } from "../../src/ledger/customer-ref.ts";
import { readBalanceAt } from "../../src/ledger/read-balance-at.ts";
import { listCustomerAllotments } from "../../src/points/allotments/list-customer-allotments.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { stopVerified } from "../support/stop-verified.ts";

// A customer to whom a shop posts for years has a long history. What is shown of it must not cost more the longer it is.

const GAINS = 400;

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
  await service.owner.execute("vacuum analyze allotment, draw, lot");
});
afterAll(() => stopVerified(service));

/** Returns the rows of a table that work has read by indexes or one after the other. */
async function rowsRead(table: string, work: (tx: Queryable) => Promise<unknown>): Promise<bigint> {
  return service.deps.db.tx(async (tx) => {
    await work(tx);
    const [row] = await tx.query<{ rows: bigint }>(
      "select pg_stat_get_xact_tuples_returned($1::regclass) + pg_stat_get_xact_tuples_fetched($1::regclass) as rows",
      [table],
    );
    return row?.rows ?? 0n;
  });
}

test("a deep page of a customer's list by a filter sums the draws of its own rows", async () => {
  const query = { type: "api", page: 36, per_page: 10 } as const;
  const read = await rowsRead("draw", async (tx) => {
    const db: Db = { ...service.deps.db, query: tx.query };
    const deps: Deps = { ...service.deps, db };
    const { rows } = await listCustomerAllotments(deps, customer.storefrontId, query);
    expect(rows.map(({ version, pointsDeducted }) => [version, pointsDeducted])).toEqual(
      Array.from({ length: 10 }, (_, n) => [BigInt(351 + n), 2n]),
    );
  });
  expect(read).toBeLessThan(50n);
});

test("the last activity before an allotment is read alone", async () => {
  const version = BigInt(GAINS);
  const read = await rowsRead("allotment", async (tx) => {
    expect(await selectActiveAt(tx, customer, version)).not.toBeNull();
  });
  expect(read).toBeLessThan(10n);
});

test("a balance of the past reads the last activity alone", async () => {
  const at = service.clock.now().add({ hours: 1 });
  const read = await rowsRead("allotment", async (tx) => {
    expect(await readBalanceAt(tx, customer, { at, newest: true })).toMatchObject({ ledgerPoints: 1n });
  });
  expect(read).toBeLessThan(20n);
});
