import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recomputeOrder } from "../../../src/orders/review/recompute-order.ts";
import { body, cancelled, line, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

/** Four units of 2,500 yen: 100 points, 25 each. */
const LINES = [line("a", { price: 2_500, quantity: 4 })];
const PLACED = [body(1, LINES)];
const SHIPPED = [shipped(2, "f1", { a: 4 })];

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

describe("an award that an older version lost to another order's key", () => {
  test("is given when the order is told again, once", async () => {
    await lost("told");
    for (let n = 0; n < 3; n++) {
      await flow.take(...ofOrder("told", "told", [...PLACED, ...SHIPPED]));
      expect([await flow.balance("told"), await flow.order("told")]).toMatchObject([100, { points_awarded: 100 }]);
    }
  });

  test("is given when the order is computed again", async () => {
    await lost("again");
    await flow.deps.db.tx((tx) => recomputeOrder(tx, flow.deps, "again"));
    await flow.deps.db.tx((tx) => recomputeOrder(tx, flow.deps, "again"));
    expect(await flow.balance("again")).toBe(100);
  });

  test("is given but for what was refunded of it, before and after", async () => {
    await lost("part", 100);
    await refundLost("part");
    await flow.take(...ofOrder("part", "part", [refunded(3, "r1", { lines: [["a", 1, 2_500]], moved: 2_500 })]));
    expect(await flow.balance("part")).toBe(75);
    await flow.take(...ofOrder("part", "part", [refunded(4, "r2", { lines: [["a", 1, 2_500]], moved: 2_500 })]));
    expect([await flow.balance("part"), await flow.order("part")]).toMatchObject([50, { points_awarded: 50 }]);
  });

  test("is not given of an order that is cancelled", async () => {
    await lost("cancel");
    await flow.take(...ofOrder("cancel", "cancel", [cancelled(5), ...SHIPPED]));
    await flow.take(...ofOrder("cancel", "cancel", SHIPPED));
    expect([await flow.balance("cancel"), await flow.order("cancel")]).toMatchObject([0, { points_awarded: 0 }]);
  });

  test("goes along with the order to another customer, once", async () => {
    await lost("moved");
    await flow.take(...ofOrder("moved", "moved-to", PLACED));
    expect([await flow.balance("moved"), await flow.balance("moved-to")]).toEqual([0, 100]);
    await flow.take(...ofOrder("moved", "moved", [body(9, LINES)]));
    expect([await flow.balance("moved"), await flow.balance("moved-to")]).toEqual([100, 0]);
  });

  test("of a key in the form of today stays lost: a task tells the staff", async () => {
    await lost("today", 100, "fulfillment/today/today-f1/a");
    await flow.take(...ofOrder("today", "today", SHIPPED));
    expect(await flow.balance("today")).toBe(0);
  });
});

/** An order as older versions left it where its fulfilment's id was another order's, too. */
async function lost(id: string, points = 100, cause = `fulfillment/${id}-f1/a`): Promise<void> {
  await flow.customer(id);
  await flow.take(...ofOrder(id, id, [body(0, LINES, { paid: false }), ...SHIPPED]));
  await plant(id, cause, points, "duplicate");
  const paid = `update store_order set facts = facts || '{"paidAt": "2026-03-01T00:01:00Z"}' where order_id = $1`;
  expect(await flow.deps.db.execute(paid, [id])).toBe(1);
}

/** Its refund took nothing, as nothing was given. */
async function refundLost(id: string): Promise<void> {
  await plant(id, `refund/${id}-r1`, -25, "capped");
}

async function plant(id: string, cause: string, wanted: number, outcome: string): Promise<void> {
  const text = `insert into order_posting (order_id, cause, type, bucket, customer_uid, wanted, taken, outcome)
select order_id, $2, case when $3::bigint > 0 then 'fulfillment' else 'refund' end, bucket, customer_uid, $3, 0, $4
from store_order
where order_id = $1`;
  expect(await flow.deps.db.execute(text, [id, cause, wanted, outcome])).toBe(1);
}
