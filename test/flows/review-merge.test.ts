import { afterAll, beforeAll, expect, test } from "vitest";
import type { Deps } from "../../src/deps.ts";
import { mergeCustomers } from "../../src/intake/merge-customers.ts";
import { type OrderFlow, startOrderFlow } from "../support/order-flow.ts";

const API = "/api/storefront";
let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const merge = (removedId: string, keptId: string, deps: Deps = flow.deps) =>
  flow.deps.db.tx((tx) => mergeCustomers(tx, deps, { keptId, removedId, appReference: "test_integration" }));

test("a hold that ends while its customer is being merged is released once", async () => {
  for (let lateUs = 0; lateUs < 30; lateUs += 1) {
    const [kept, removed] = [`k${lateUs}`, `r${lateUs}`];
    await flow.customer(kept);
    await flow.customer(removed);
    await flow.give(kept, 10);
    await flow.give(removed, 30);
    const body = { customer_id: removed, point_value: 12, ttl_seconds: 60 };
    expect((await flow.client.post(`${API}/reservations`, body)).status).toBe(200);
    flow.clock.advance({ seconds: 59, microseconds: 999_985 });
    flow.clock.advance({ microseconds: 0 });
    // a clock that runs on: the hold's end passes somewhere in the merge
    let readings = 0;
    const clock = { now: () => flow.clock.now().add({ microseconds: readings++ === lateUs ? 15 : readings > lateUs ? 15 : 0 }) };
    await merge(removed, kept, { ...flow.deps, clock });
    flow.clock.advance({ seconds: 1 });
    expect(await flow.balance(kept)).toBe(40);
  }
});

test("what had expired before a merge does not come back with it", async () => {
  await flow.customer("k-due");
  await flow.customer("r-due");
  await flow.give("k-due", 10);
  flow.clock.advance({ hours: 24 * 200 });
  await flow.give("r-due", 5);
  flow.clock.advance({ hours: 24 * 200 });
  expect(await flow.balance("k-due")).toBe(0);
  await merge("r-due", "k-due");
  expect(await flow.balance("k-due")).toBe(5);
});
