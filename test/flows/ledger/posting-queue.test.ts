import { afterAll, beforeAll, expect, test } from "vitest";
import { lockBalances } from "../../../src/ledger/balance-queries.ts";
import { listWaiting } from "../../support/behind.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const award = (customer: { storefrontId: string }) =>
  service.client.post("/api/storefront/point_allotments", { customer_id: customer.storefrontId, point_value: 1 });

test("a batch that waits for a balance's lock holds up no other customer", async () => {
  const locked = await makeCustomer(service.deps);
  const free = await makeCustomer(service.deps);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const holder = service.deps.db.tx(async (tx) => {
    await lockBalances(tx, [locked]);
    take();
    await released;
  });
  await taken;
  let isAnswered = false;
  const stuck = award(locked).finally(() => {
    isAnswered = true;
  });
  await waitUntil(async () => (await listWaiting(service.deps.db)).length > 0);
  expect((await award(free)).status).toBe(200);
  expect(isAnswered).toBe(false);
  release();
  await holder;
  expect((await stuck).status).toBe(200);
});
