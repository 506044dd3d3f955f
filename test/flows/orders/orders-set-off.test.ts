import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OrderEvent } from "../../../src/orders/facts/merge-facts.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { explain, ledgerOf } from "../../support/explain.ts";
import { body, fulfillment, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import type { Shortfall } from "../../support/order-points-model.ts";
import { OrderPointsStory, orderStoryEvent } from "../../support/order-points-story.ts";

/** Four units of 2,500 yen: 100 points, 25 each. */
const LINES = [line("a", { price: 2_500, quantity: 4 })];
const SALE = [body(1, LINES), shipped(2, "f1", { a: 4 })];
const again = (n: number): OrderEvent[] => [
  shipped(2 + n, `f${n}`, { a: 4 }, "cancelled", 3 + n),
  shipped(3 + n, `f${n + 1}`, { a: 4 }),
];

let count = 0;
const flows = new Map<Shortfall, OrderFlow>();
const flowOf = (shortfall: Shortfall): OrderFlow => {
  const flow = flows.get(shortfall);
  if (flow === undefined) throw new Error("not started");
  return flow;
};
beforeAll(async () => {
  for (const shortfall of ["cap", "owe", "refuse"] as const) {
    flows.set(shortfall, await startOrderFlow({ program: { refunds: { shortfall } } }));
  }
});
afterAll(async () => {
  for (const flow of flows.values()) {
    expect(await flow.faults()).toEqual([]);
    await flow.stop();
  }
});

describe("points that could not be taken back are set off against what the order awards later", () => {
  test.each([
    ["cap", 100],
    ["owe", 100],
    ["refuse", 100],
  ] as const)("cancelled and shipped again five times, spent each time (%s)", async (shortfall, spent) => {
    const flow = flowOf(shortfall);
    const [id, buyer] = [`again-${shortfall}`, `again-${shortfall}`];
    await flow.take(...ofOrder(id, buyer, SALE));
    let used = 0;
    for (let n = 1; n <= 5; n++) {
      const points = await flow.balance(buyer);
      if (points > 0) await flow.give(buyer, -points);
      used += points;
      await flow.take(...ofOrder(id, buyer, again(n)));
    }
    expect([used, await flow.balance(buyer)]).toEqual([spent, 0]);
    if (shortfall !== "owe") expect(await flow.order(id)).toMatchObject({ awardable_points: 100, points_awarded: 100 });
  });

  test("it does not matter which of the two events is told first, nor whether one body tells both", async () => {
    const flow = flowOf("cap");
    const [back, anew] = again(1);
    if (back === undefined || anew === undefined) throw new Error("two were made");
    const both = body(6, LINES, {
      fulfillments: [fulfillment(3, "f1", { a: 4 }, "cancelled", 4), fulfillment(5, "f2", { a: 4 })],
    });
    for (const events of [[back, anew], [anew, back], [both], [both, anew, back]]) {
      const id = `told-${++count}`;
      const own = (some: readonly OrderEvent[]) => ofOrder(id, id, some);
      await flow.take(...own(SALE));
      await flow.give(id, -60);
      await flow.take(...own(events));
      expect([await flow.balance(id), await flow.order(id)]).toMatchObject([40, { points_awarded: 100 }]);
    }
  });

  test("from one customer to the other and back, with spending in between", async () => {
    const flow = flowOf("cap");
    const customers = ["mvA", "mvB"];
    await flow.take(...ofOrder("mv", "mvA", SALE));
    let used = 0;
    for (let n = 0; n < 6; n++) {
      const owner = customers[n % 2] ?? "";
      const points = await flow.balance(owner);
      if (points > 0) await flow.give(owner, -points);
      used += points;
      await flow.take(...ofOrder("mv", customers[(n + 1) % 2] ?? "", [body(10 + n, LINES)]));
    }
    expect([used, await flow.order("mv")]).toMatchObject([100, { awardable_points: 100, points_awarded: 100 }]);
  });

  test("what is set off is said in the row, and the rest of the order earns", async () => {
    const flow = flowOf("cap");
    const own = (some: readonly OrderEvent[]) => ofOrder("part", "part", some);
    await flow.take(...own([body(1, LINES), shipped(2, "f1", { a: 3 })]));
    await flow.give("part", -50);
    await flow.take(...own([shipped(2, "f1", { a: 3 }, "cancelled", 3)]));
    expect(await forgiven(flow, "part")).toEqual([{ awarded: 50n, forgiven: 50n }]);
    await flow.take(...own([shipped(4, "f2", { a: 1 }), shipped(5, "f3", { a: 3 })]));
    expect(await flow.balance("part")).toBe(50);
    expect(await forgiven(flow, "part")).toEqual([{ awarded: 100n, forgiven: 0n }]);
    const rows = await flow.deps.db.query(
      "select cause, wanted, taken, outcome from order_posting where order_id = 'part' and wanted <> 0 order by cause",
    );
    expect(rows).toEqual([
      { cause: "adjust/part/1", wanted: -75n, taken: -25n, outcome: "capped" },
      { cause: "fulfillment/part/part-f1/a", wanted: 75n, taken: 75n, outcome: "posted" },
      { cause: "fulfillment/part/part-f2/a", wanted: 25n, taken: 0n, outcome: "set_off" },
      { cause: "fulfillment/part/part-f3/a", wanted: 75n, taken: 50n, outcome: "set_off" },
    ]);
    const last = (await ledgerOf(flow.client, "part")).at(-1);
    const told = await explain(flow.client, last.uid);
    expect(told.order).toMatchObject({ wanted: 75, taken: 50, set_off: 25, forgiven: 0, outcome: "set_off" });
    expect(told.words).toContain(
      "The other 25 were set off against points of the order that could not be taken back before.",
    );
  });

  test("an order that was over-paid by an earlier version is paid no more, and nothing is taken for it", async () => {
    const flow = flowOf("cap");
    const own = (some: readonly OrderEvent[]) => ofOrder("over", "over", some);
    await flow.take(...own(SALE));
    await flow.give("over", -100);
    await flow.take(...own(again(1)));
    await overPay(flow, "over", 100);
    await flow.give("over", -30);
    await flow.take(...own([...SALE, ...again(1), ...again(2)]));
    expect(await flow.balance("over")).toBe(0); // 70 were taken back at the cancellation, and are not given again
    expect(await flow.order("over")).toMatchObject({ awardable_points: 100, points_awarded: 130 });
  });

  /** Gives the last award of an order in full, as versions did that set nothing off. */
  async function overPay(flow: OrderFlow, id: string, points: number): Promise<void> {
    await flow.give(id, points);
    const text = `with given as (
  update allotment a
  set type = 'fulfillment', parent = $1, source_key = $2
  where a.type = 'api'
    and a.point_value > 0
    and a.customer_uid = (select customer_uid from store_order where order_id = $3)
  returning a.version, a.point_value)
update order_posting
set taken = given.point_value, version = given.version, outcome = 'posted'
from given
where order_id = $3
  and outcome = 'set_off'`;
    const cause = `fulfillment/${id}/${id}-f2/a`;
    expect(await flow.owner.execute(text, [`order-${id}`, cause, id])).toBe(1);
    await flow.deps.db.execute(
      "update store_order set awarded_points = 200, forgiven_points = 100 where order_id = $1",
      [id],
    );
  }

  const forgiven = (flow: OrderFlow, id: string) =>
    flow.deps.db.query(
      "select awarded_points as awarded, forgiven_points as forgiven from store_order where order_id = $1",
      [id],
    );
});

describe("any interleaving of spending, shipments, cancellations, returns, moves, merges and repetitions", () => {
  test.each([
    ["cap", 12],
    ["owe", 6],
    ["refuse", 6],
  ] as const)("comes to what an independent model says (%s)", async (shortfall, numRuns) => {
    const flow = flowOf(shortfall);
    await fc.assert(
      fc.asyncProperty(fc.array(orderStoryEvent, { minLength: 8, maxLength: 16 }), async (deeds) => {
        const story = await OrderPointsStory.start(flow, shortfall);
        for (const one of deeds) await story.does(one);
      }),
      { numRuns: exampleRuns(numRuns) },
    );
  });
});
