import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CustomerRow } from "../../src/customers/customer.ts";
import { deleteCustomers } from "../../src/customers/delete-customers.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { stopVerified } from "../support/stop-verified.ts";

// Whose balance is closed, and who is noted for the growth figures, by the statement that deletes many, and whose by the triggers.

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => stopVerified(service));

const DELETE_BY_HAND = "update customer set deleted_at = $3 where bucket = $1 and customer_uid = $2";
const STANDING = `select c.storefront_id as id,
  c.deleted_at is not null as "isDeleted",
  b.is_deleted as "isClosed"
from customer c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
where c.storefront_id = any($1)`;

const NOTED = `select c.storefront_id as id
from growth_change g
join customer c on c.bucket = g.bucket and c.customer_uid = g.customer_uid
order by c.storefront_id`;

let made = 0;
const makeSome = (count: number): Promise<CustomerRow[]> =>
  Promise.all(Array.from({ length: count }, () => makeCustomer(service.deps, { storefrontId: `together-${++made}` })));
async function standing(rows: readonly CustomerRow[]) {
  const found = await service.deps.db.query<{ id: string; isDeleted: boolean; isClosed: boolean }>(STANDING, [
    rows.map(({ storefrontId }) => storefrontId),
  ]);
  return new Map(found.map(({ id, isDeleted, isClosed }) => [id, { isDeleted, isClosed }]));
}

// what becomes of each customer in turn: deleted with the others of the same number, or alone, by a statement of its own
const how = fc.constantFrom("together", "again", "alone", "stays");

test("whoever is deleted, in whatever way and with whomever, has a closed balance and is noted once, and nobody else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(how, { minLength: 1, maxLength: 12 }), fc.boolean(), async (ways, isUndone) => {
      const rows = await makeSome(ways.length);
      const of = (...some: string[]) => rows.filter((_, i) => some.includes(ways[i] ?? ""));
      const { deps } = service;
      await deps.db.tx((tx) => deleteCustomers(tx, deps, of("again"), "test"));
      await deps.db.execute("delete from growth_change");
      const isBroken = new Error("rolled back");
      const work = deps.db.tx(async (tx) => {
        await deleteCustomers(tx, deps, of("together", "again"), "test");
        for (const { bucket, customerUid } of of("alone"))
          await tx.execute(DELETE_BY_HAND, [bucket, customerUid, deps.clock.now()]);
        if (isUndone) throw isBroken;
      });
      await work.catch((error: unknown) => expect(error).toBe(isBroken));
      const gone = new Set((isUndone ? of("again") : of("together", "again", "alone")).map((row) => row.storefrontId));
      const noted = await deps.db.query<{ id: string }>(NOTED);
      const goneNow = isUndone ? [] : of("together", "alone").map((row) => row.storefrontId);
      expect(noted.map(({ id }) => id)).toEqual(goneNow.toSorted());

      const found = await standing(rows);
      for (const { storefrontId: id } of rows)
        expect([id, found.get(id)]).toEqual([id, { isDeleted: gone.has(id), isClosed: gone.has(id) }]);
    }),
    { numRuns: 25 },
  );
});

test("a deletion in the transaction after that closes its balance by the trigger", async () => {
  const { deps } = service;
  const [first, second] = await makeSome(2);
  if (first === undefined || second === undefined) throw new Error("nobody was made");
  await deps.db.tx(async (tx) => {
    await deleteCustomers(tx, deps, [first], "test");
    const [{ setting } = { setting: "" }] = await tx.query<{ setting: string }>(
      "select current_setting('pointkeeper.balances_closed', true) as setting",
    );
    expect(setting).toBe("");
    await tx.execute(DELETE_BY_HAND, [second.bucket, second.customerUid, deps.clock.now()]);
  });
  expect([...(await standing([first, second])).values()]).toEqual([
    { isDeleted: true, isClosed: true },
    { isDeleted: true, isClosed: true },
  ]);
});
