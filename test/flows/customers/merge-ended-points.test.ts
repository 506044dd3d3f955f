import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clock, Deps } from "../../../src/deps.ts";
import { mergeInto } from "../../support/customers.ts";
import { type OrderFlow, startOrderFlow } from "../../support/order-flow.ts";

const API = "/api/storefront";
let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const merge = (removedId: string, keptId: string, deps: Deps = flow.deps) => mergeInto(deps, removedId, keptId);

/** A clock that is read `before` times and then has passed on by `later`. */
function passing(before: number, later: Temporal.DurationLike): Clock {
  let readings = 0;
  return { now: () => (readings++ < before ? flow.clock.now() : flow.clock.now().add(later)) };
}

test("a hold whose end passes while its customer is being merged is released once", async () => {
  for (let readings = 0; readings < 20; readings++) {
    const [kept, removed] = [`k${readings}`, `r${readings}`];
    await flow.customer(kept);
    await flow.customer(removed);
    await flow.give(kept, 10);
    await flow.give(removed, 30);
    const reservation = { customer_id: removed, point_value: 12, ttl_seconds: 60 };
    expect((await flow.client.post(`${API}/reservations`, reservation)).status).toBe(200);
    flow.clock.advance({ seconds: 59 });
    await merge(removed, kept, { ...flow.deps, clock: passing(readings, { seconds: 1 }) });
    flow.clock.advance({ seconds: 2 });
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
