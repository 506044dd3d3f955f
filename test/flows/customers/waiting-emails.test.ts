import { afterAll, beforeAll, expect, test } from "vitest";
import { assignWaitingOrders } from "../../../src/orders/assign-waiting-orders.ts";
import { body, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

// Most buyers of a shop may be guests for ever: their orders wait under e-mails that nobody has.

const GUESTS = 5_000;
const PAGE = 1_000;
const LAST = "guest-99999@example.com";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
  await flow.owner.execute(`insert into store_order (order_id, platform, email, facts, received_at)
select 'w' || n, 'test', 'guest-' || lpad(n::text, 5, '0') || '@example.com', '{"stated": {}}', now()
from generate_series(1, ${GUESTS}) n`);
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

test("waiting orders are looked at some at a time, and the one whose customer is known is found on the way", async () => {
  const lines = [line("a", { price: 333, quantity: 3 })];
  await flow.take(...ofOrder("last", null, [body(1, lines, { email: LAST }), shipped(2, "f1", { a: 3 })]));
  await flow.client.put("/api/storefront/customers/known", { email: LAST });
  const found: number[] = [];
  for (let call = 0; call <= GUESTS / PAGE + 1; call++)
    found.push(await assignWaitingOrders(flow.deps, { pageEmails: PAGE, lookMs: 0 }));
  expect(found).toEqual([0, 0, 0, 0, 0, 1, 0]);
  expect(await flow.balance("known")).toBe(10);
});

test("a call that has the time begins anew at the end, and finds each order whose customer came meanwhile", async () => {
  const lines = [line("a", { price: 333, quantity: 3 })];
  for (const id of ["first", "second"]) {
    await flow.take(...ofOrder(id, null, [body(1, lines, { email: `${id}@example.com` }), shipped(2, "f1", { a: 3 })]));
    await flow.client.put(`/api/storefront/customers/${id}`, { email: `${id}@example.com` });
    const limits = { pageEmails: PAGE, lookMs: 60_000 };
    expect((await assignWaitingOrders(flow.deps, limits)) + (await assignWaitingOrders(flow.deps, limits))).toBe(1);
    expect(await flow.balance(id)).toBe(10);
  }
});
