import { afterAll, beforeAll, expect, test } from "vitest";
import { applyCustomer } from "../../../src/intake/apply-customer.ts";
import { redactCustomer } from "../../../src/intake/redact-customer.ts";
import type { CustomerFacts, CustomerUpserted } from "../../../src/platforms/neutral-events.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, cancelled, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { UNACKNOWLEDGED } from "../../support/webhook-flow.ts";

const API = "/api/storefront";
const DAY_S = 86_400;

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { rewards: { signup: 100 } } });
  const hook = { topic: "point_balance/update", callback_url: "http://127.0.0.1:9/" };
  expect((await flow.client.post(`${API}/webhooks`, hook)).status).toBe(200);
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

interface BalanceEvent {
  readonly balance: number;
  readonly name: string | null;
}

/** The balance events that one call publishes: the payloads by the customer's id, each of which one delivery carries. */
async function eventsOf(work: () => Promise<unknown>): Promise<Record<string, readonly BalanceEvent[]>> {
  await flow.deps.db.execute("delete from topic_batch");
  await flow.deps.db.execute("delete from outbox_event");
  await work();
  const rows = await flow.deps.db.query<{ id: string; payload: string }>(
    `select c.storefront_id as id,
  e.payload
from outbox_event e
join (${UNACKNOWLEDGED}) d using (uid)
join customer c on c.bucket = e.bucket and c.customer_uid = e.customer_uid
order by e.uid`,
  );
  const [counted] = await flow.deps.db.query<{ count: bigint }>("select count(*) as count from outbox_event");
  expect(counted).toEqual({ count: BigInt(rows.length) });
  const byCustomer = Object.groupBy(rows, ({ id }) => id);
  return Object.fromEntries(
    Object.entries(byCustomer).map(([id, own = []]) => [
      id,
      own.map(({ payload }) => {
        const { balance, name } = JSON.parse(payload);
        return { balance, name };
      }),
    ]),
  );
}

function applyFacts(payload: CustomerFacts) {
  const now = flow.clock.now();
  const event: CustomerUpserted = {
    ...{ type: "CustomerUpserted", platform: "test", subject: `customer/${payload.customerId}`, factKey: "" },
    ...{ sourceTopic: "", occurredAt: now, receivedAt: now, entityVersion: now, test: false, payload },
  };
  return flow.deps.db.tx((tx) => applyCustomer(tx, flow.deps, event));
}

const reserve = (id: string, points: number, days: number) =>
  flow.client.post(`${API}/reservations`, { customer_id: id, point_value: points, ttl_seconds: days * DAY_S });
const merge = (removedId: string, keptId: string) => mergeInto(flow.deps, removedId, keptId);
const sale = (price: number) => [body(1, [line("a", { price })]), shipped(2, "f1", { a: 1 })];

test("an event that changes a name, rewards and assigns guests' orders publishes the final balance once", async () => {
  await flow.customer("named");
  for (const n of [1, 2]) {
    const [guest, ship] = sale(700);
    if (guest === undefined || ship === undefined || guest.type !== "OrderUpdated") throw new Error("no order");
    const order = { ...guest, payload: { ...guest.payload, email: "named@example.com" } };
    await flow.take(...ofOrder(`guest-${n}`, null, [order, ship]));
  }
  const facts = { customerId: "named", name: "Hana", email: "named@example.com", createdAt: flow.clock.now() };
  expect(await eventsOf(() => applyFacts(facts))).toEqual({ named: [{ balance: 114, name: "Hana" }] });
});

test("a merge publishes one event a side where points of both had to expire first", async () => {
  for (const id of ["kept", "removed"]) {
    await flow.customer(id);
    await flow.give(id, 10);
  }
  flow.clock.advance({ hours: 24 * 100 });
  await flow.program({ expiration: { mode: "per_allotment" } });
  flow.clock.advance({ hours: 24 * 100 });
  await flow.give("removed", 5);
  flow.clock.advance({ hours: 24 * 200 });
  const published = await eventsOf(() => merge("removed", "kept"));
  expect(published).toEqual({ kept: [{ balance: 5, name: null }], removed: [{ balance: 0, name: null }] });
});

test("a deletion that ends a hold publishes one event", async () => {
  await flow.customer("gone");
  await flow.give("gone", 30);
  await reserve("gone", 20, 600);
  flow.clock.advance({ hours: 24 * 500 });
  expect(await eventsOf(() => flow.remove("gone"))).toEqual({ gone: [{ balance: 0, name: null }] });
  const redact = () =>
    flow.deps.db.tx((tx) => redactCustomer(tx, flow.deps, { customerId: "gone", appReference: "test" }));
  expect(await eventsOf(redact)).toEqual({});
});

test("an order that uses a coupon late and is cancelled publishes one event each", async () => {
  await flow.customer("late");
  await flow.give("late", 100);
  const { code } = await flow.coupon("late", 30);
  flow.clock.advance({ hours: 49 });
  await flow.expire();
  const coupons = [{ code, amount: { minor: 30n, currency: "JPY" }, type: "fixed_amount" }];
  const order = body(1, [line("a", { price: 700, discounts: [[code, 30]] })], { coupons });
  const events = ofOrder("late", "late", [order, shipped(2, "f1", { a: 1 })]);
  expect(await eventsOf(() => flow.take(...events.slice(0, 1)))).toEqual({ late: [{ balance: 70, name: null }] });
  await flow.take(...events.slice(1));
  const published = await eventsOf(() => flow.take(...ofOrder("late", "late", [cancelled(9)])));
  expect(published).toEqual({ late: [{ balance: 100, name: null }] });
});
