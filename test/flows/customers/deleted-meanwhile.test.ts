import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import type { Tx } from "../../../src/db/pool.ts";
import { applyCustomer } from "../../../src/intake/apply-customer.ts";
import { postFlow } from "../../../src/intake/post-flow.ts";
import { redactCustomer } from "../../../src/intake/redact-customer.ts";
import type { CustomerUpserted } from "../../../src/platforms/neutral-events.ts";
import { rewardBirthdays } from "../../../src/rewards/reward-birthdays.ts";
import { behind } from "../../support/behind.ts";
import { body, cancelled, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const API = "/api/storefront";
const REWARDS = { signup: 100, marketing_opt_in: 30, birthday: 500 };

let flow: OrderFlow;
const failures: string[] = [];
beforeAll(async () => {
  flow = await startOrderFlow({ program: { rewards: REWARDS }, log: (text) => void failures.push(text) });
});
afterAll(async () => {
  expect(failures).toEqual([]);
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

let count = 0;
async function customerWith(points: number, more: { email?: string } = {}): Promise<string> {
  const id = `c${++count}`;
  await flow.customer(id, more);
  if (points > 0) await flow.give(id, points);
  return id;
}

/** What comes of asking while the customer's deletion is under way: it looked before, and writes after. */
function whileDeleted<T>(id: string, ask: () => Promise<T>): Promise<T> {
  return behind(flow.deps.db, (tx) => deleteCustomer(tx, flow.deps, id, "test"), ask);
}

const CLOSED = `select b.ledger_points as points,
  b.held_points as held,
  b.owed_points as owed,
  (
    select count(*)
    from allotment a
    where a.bucket = b.bucket
      and a.customer_uid = b.customer_uid
      and a.version > coalesce((
        select min(d.version)
        from allotment d
        where d.source_key = 'deletion/' || b.customer_uid
          and d.source_key not like 'api/%'), 0)) as later
from balance b
join customer_alias i on i.bucket = b.bucket and i.customer_uid = b.customer_uid
where i.storefront_id = $1`;

/** A deleted customer's balance was closed at deletion, and nothing was written after. */
async function expectClosed(id: string): Promise<void> {
  expect(await flow.deps.db.query(CLOSED, [id])).toEqual([{ points: 0n, held: 0n, owed: 0n, later: 0n }]);
}

const post = (path: string, fields: object) => flow.client.post(`${API}/${path}`, fields);

describe("who is deleted between the look and the lock", () => {
  test.each([
    ["an award", (id: string) => post("point_allotments", { customer_id: id, point_value: 5 })],
    ["a balance to set", (id: string) => post(`point_balances/${id}/set_balances`, { balance: 50 })],
    ["a coupon", (id: string) => post("coupons", { customer_id: id, point_value: 5 })],
    ["a reservation", (id: string) => post("reservations", { customer_id: id, point_value: 5, ttl_seconds: 60 })],
    ["a tier", (id: string) => post(`point_balances/${id}/tiers`, { skip_next_check: true })],
  ])("is not found by %s", async (_name, ask) => {
    const id = await customerWith(100);
    expect((await whileDeleted(id, () => ask(id))).status).toBe(404);
    await expectClosed(id);
  });

  test("is not found by a workflow's run", async () => {
    const id = await customerWith(100);
    const run = { runId: `run-${id}`, customer: { id }, pointValue: 5n, extendsExpiration: true, note: null };
    const ask = () => flow.deps.db.tx((tx) => postFlow(tx, flow.deps, run, "test"));
    await expect(whileDeleted(id, ask)).rejects.toMatchObject({ code: "customer_not_found" });
    await expectClosed(id);
  });

  test("gets nothing back of a coupon, be it cancelled or expired", async () => {
    const [one, other] = [await customerWith(100), await customerWith(100)];
    const { code } = await flow.coupon(one, 30);
    await flow.coupon(other, 40);
    const answer = await whileDeleted(one, () => flow.client.delete(`${API}/coupons/${code}`));
    expect(answer.body.data).toMatchObject({ points_reimbursed: 0 });
    flow.clock.advance({ hours: 49 });
    await whileDeleted(other, () => flow.expire());
    await expectClosed(one);
    await expectClosed(other);
    const states = await flow.deps.db.query("select state from coupon order by issued_at, uid");
    expect(states).toEqual([{ state: "cancelled" }, { state: "expired" }]);
  });

  test("gets no reward of an event or a birthday", async () => {
    const [signed, born] = [await customerWith(0), await customerWith(0)];
    const now = flow.clock.now();
    const event: CustomerUpserted = {
      ...{ type: "CustomerUpserted", platform: "test", subject: `customer/${signed}`, factKey: "", sourceTopic: "" },
      ...{ occurredAt: now, receivedAt: now, test: false, payload: { customerId: signed, createdAt: now } },
    };
    await whileDeleted(signed, () => flow.deps.db.tx((tx) => applyCustomer(tx, flow.deps, event)));
    await flow.client.put(`${API}/customers/${born}`, { birthday: "1990-03-06" });
    flow.clock.set(Temporal.Instant.from("2026-03-06T00:00:00Z"));
    expect(await whileDeleted(born, () => rewardBirthdays(flow.deps))).toBe(0);
    await expectClosed(signed);
    await expectClosed(born);
  });

  test("gets nothing of an order, which then knows nobody's person", async () => {
    const orders: string[] = [];
    for (const isShipped of [true, false]) {
      const id = await customerWith(10, { email: `buyer${count}@example.com` });
      orders.push(`o-${id}`);
      const order = body(1, [line("a", { price: 700 })], { email: `other${count}@example.com`, tags: ["vip"] });
      const events = ofOrder(`o-${id}`, id, isShipped ? [order, shipped(2, "f1", { a: 1 })] : [order]);
      const redact = (tx: Tx) => redactCustomer(tx, flow.deps, { customerId: id, appReference: "test" });
      await behind(flow.deps.db, redact, () => flow.take(...events));
      await expectClosed(id);
      expect(await flow.order(`o-${id}`)).toMatchObject({ points_awarded: 0 });
    }
    const rows = await flow.deps.db.query(
      `select o.email,
  o.due_at as "dueAt",
  o.facts::text like '%example.com%' or o.facts::text like '%vip%' as "isNamed",
  s.spend_minor as spend
from store_order o
left join order_spend s using (order_id)
where o.order_id = any($1)`,
      [orders],
    );
    expect(rows).toEqual(orders.map(() => ({ email: null, dueAt: null, isNamed: false, spend: null })));
  });
});

describe("who was deleted before", () => {
  test.each(["cap", "owe", "refuse"])("gives nothing for an order that is another's now (%s)", async (shortfall) => {
    await flow.program({ refunds: { shortfall } });
    const [old, next] = [await customerWith(0), await customerWith(0)];
    const sale = [body(1, [line("a", { price: 700 })]), shipped(2, "f1", { a: 1 })];
    await flow.take(...ofOrder(`o-${old}`, old, sale));
    expect(await flow.balance(old)).toBe(7);
    await flow.remove(old);
    await flow.take(...ofOrder(`o-${old}`, next, [body(5, [line("a", { price: 700 })])]));
    expect(await flow.balance(next)).toBe(7);
    await expectClosed(old);
    expect(await flow.deps.db.query("select from staff_task where subject = $1", [`order/o-${old}`])).toEqual([]);
    await flow.program({ refunds: { shortfall: "cap" } });
  });

  test("pays no coupon that is used after its points came back, and gets none", async () => {
    const [holder, buyer] = [await customerWith(100), await customerWith(0)];
    const { code } = await flow.coupon(holder, 30);
    flow.clock.advance({ hours: 49 });
    await flow.expire();
    await flow.remove(holder);
    const coupons = [{ code, amount: { minor: 30n, currency: "JPY" }, type: "fixed_amount" }];
    const sale = body(1, [line("a", { price: 700, discounts: [[code, 30]] })], { coupons });
    await flow.take(...ofOrder(`o-${code}`, buyer, [sale, shipped(2, `f-${code}`, { a: 1 })]));
    expect(await flow.order(`o-${code}`)).toMatchObject({ points_redeemed: 0, points_awarded: 7 });
    await flow.take(...ofOrder(`o-${code}`, buyer, [cancelled(9)]));
    await expectClosed(holder);
  });
});
