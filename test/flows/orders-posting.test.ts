import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyOrderEvent } from "../../src/orders/apply-order-event.ts";
import { awardPendingOrders } from "../../src/orders/award-pending-orders.ts";
import { nextAwardDueAt } from "../../src/orders/next-award-due-at.ts";
import { body, cancelled, line, minute, refunded, shipped } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** 3 bowls of 333 yen and a pot of 1,050: 2,049 yen, 21 points, in two shipments, one bowl coming back. */
const LINES = [line("a", { price: 333, quantity: 3 }), line("b", { price: 1_050 })];
const SALE = [
  body(0, LINES, { paid: false }),
  body(1, LINES),
  shipped(2, "f1", { a: 2 }),
  shipped(3, "f2", { a: 1, b: 1 }),
];
const RETURN = refunded(4, "r1", { lines: [["a", 1, 333]], moved: 333 });

let count = 0;
const next = () => `${++count}`;

describe("an order's points", () => {
  test("each shipment awards its lines, in the ledger's words", async () => {
    await flow.take(...ofOrder("100", "c100", SALE));
    expect(await flow.order("100")).toEqual({ awardable_points: 21, points_awarded: 21, points_redeemed: 0 });
    expect(await flow.spend("100")).toBe(2_049n);
    const { body: answer } = await flow.client.get("/api/storefront/point_allotments/c100");
    expect(answer.data.map((row: { point_value: number }) => row.point_value)).toEqual([7, 3, 11]);
    expect(answer.data[0]).toMatchObject({
      type: "fulfillment",
      object: "line_item-a",
      parent: "order-100",
      action: "fulfillment-100-f1",
      allotment_cascade: true,
      app_reference: "test_integration",
    });
  });

  test("nothing before it is paid and shipped, and an unknown order's shipment waits", async () => {
    const [placed, paid, first] = ofOrder("101", "c101", SALE);
    if (placed === undefined || paid === undefined || first === undefined) throw new Error("too few events");
    const apply = (event: typeof first) => flow.deps.db.tx((tx) => applyOrderEvent(tx, flow.deps, event));
    expect(await apply(first)).toBe("waiting");
    expect(await flow.order("101")).toBeUndefined();
    expect(await apply(placed)).toBe("applied");
    expect(await apply(first)).toBe("applied");
    expect(await flow.order("101")).toEqual({ awardable_points: 21, points_awarded: 0, points_redeemed: 0 });
    expect(await apply(paid)).toBe("applied");
    expect(await flow.balance("c101")).toBe(7);
  });

  test("any order and repetition of the events ends the same", async () => {
    const events = [...SALE, RETURN];
    const history = fc
      .tuple(
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.array(fc.constantFrom(...events), { maxLength: 4 }),
      )
      .map(([all, again]) => [...all, ...again]);
    await fc.assert(
      fc.asyncProperty(history, async (shuffled) => {
        const id = `p${next()}`;
        await flow.take(...ofOrder(id, `c${id}`, shuffled));
        expect(await flow.order(id)).toEqual({ awardable_points: 18, points_awarded: 18, points_redeemed: 0 });
        expect(await flow.balance(`c${id}`)).toBe(18);
        expect(await flow.spend(id)).toBe(1_716n);
      }),
      { numRuns: 40 },
    );
  });

  test("the same events from eight connections at once count once", async () => {
    const [placed, ...rest] = ofOrder("102", "c102", [...SALE, RETURN]);
    const everywhere = Array.from({ length: 8 }, () => [placed, ...rest, ...rest]).flat();
    const applied = everywhere.map((event) =>
      event === undefined ? undefined : flow.deps.db.tx((tx) => applyOrderEvent(tx, flow.deps, event)),
    );
    await Promise.all(applied);
    await flow.take(...ofOrder("102", "c102", SALE));
    expect(await flow.order("102")).toEqual({ awardable_points: 18, points_awarded: 18, points_redeemed: 0 });
    expect(await flow.balance("c102")).toBe(18);
  });

  test("orders of one customer at once award all", async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `m${i}`);
    await Promise.all(ids.map((id) => flow.take(...ofOrder(id, "c103", SALE))));
    expect(await flow.balance("c103")).toBe(12 * 21);
  });

  test("a cancellation takes all back; test orders and other currencies earn nothing", async () => {
    await flow.take(...ofOrder("104", "c104", [...SALE, cancelled(5)]));
    expect(await flow.order("104")).toEqual({ awardable_points: 0, points_awarded: 0, points_redeemed: 0 });
    expect(await flow.balance("c104")).toBe(0);
    expect(await flow.spend("104")).toBeNull();
    await flow.customer("c105");
    await flow.take(...ofOrder("105", "c105", [body(1, LINES, { test: true }), shipped(2, "f1", { a: 3, b: 1 })]));
    const dollars = [line("a", { price: 5_000, currency: "USD" })];
    await flow.take(...ofOrder("106", "c105", [body(1, dollars), shipped(2, "f1", { a: 1 })]));
    expect(await flow.order("106")).toEqual({ awardable_points: 0, points_awarded: 0, points_redeemed: 0 });
    expect(await flow.balance("c105")).toBe(0);
  });
});

describe("a source that was counted before", () => {
  test("counts for the order that came first alone, and what it did not give is not taken back", async () => {
    const events = ofOrder("110", "c110", [body(1, LINES), shipped(2, "f1", { a: 3, b: 1 })]);
    await flow.take(...events);
    await flow.customer("c111");
    await flow.give("c111", 100);
    const thief = events.map((event) => ({
      ...event,
      payload: { ...event.payload, orderId: "111", customerId: "c111" },
    }));
    await flow.take(...(thief as typeof events)); // cast: the same events, their order's id replaced
    expect(await flow.order("111")).toMatchObject({ points_awarded: 0 });
    await flow.take(...ofOrder("111", "c111", [cancelled(9)]));
    expect([await flow.balance("c110"), await flow.balance("c111")]).toEqual([21, 100]);
    expect(await flow.order("111")).toEqual({ awardable_points: 0, points_awarded: 0, points_redeemed: 0 });
  });
});

describe("what a balance cannot give back", () => {
  const whole = refunded(4, "r1", {
    lines: [
      ["a", 3, 999],
      ["b", 1, 1_050],
    ],
    moved: 2_049,
  });
  const shippedAll = [body(1, LINES), shipped(2, "f1", { a: 3, b: 1 })];

  test("cap: it is forgiven, and never taken later", async () => {
    await flow.take(...ofOrder("200", "c200", shippedAll));
    await flow.give("c200", -15);
    await flow.take(...ofOrder("200", "c200", [whole]));
    expect(await flow.balance("c200")).toBe(0);
    await flow.give("c200", 50);
    await flow.take(...ofOrder("200", "c200", [whole, cancelled(9)]));
    expect(await flow.balance("c200")).toBe(50);
    const rows = await flow.deps.db.query("select forgiven_points from store_order where order_id = '200'");
    expect(rows).toEqual([{ forgiven_points: 15n }]);
  });

  test("owe: it is taken from later awards, also where nothing was left", async () => {
    await flow.program({ refunds: { shortfall: "owe" } });
    for (const [id, spent, owed] of [
      ["201", 15, 15],
      ["202", 21, 21],
    ] as const) {
      const late = (events: Parameters<typeof ofOrder>[2]) => ofOrder(id, `c${id}`, events).map(processedLater);
      await flow.take(...late(shippedAll));
      await flow.give(`c${id}`, -spent);
      await flow.take(...late([whole]));
      expect(await flow.balance(`c${id}`)).toBe(0);
      await flow.give(`c${id}`, 100);
      expect(await flow.balance(`c${id}`)).toBe(100 - owed);
    }
  });

  test("refuse: nothing is taken, and a task is raised once", async () => {
    await flow.program({ refunds: { shortfall: "refuse" } });
    const late = (events: Parameters<typeof ofOrder>[2]) => ofOrder("203", "c203", events).map(processedLater);
    await flow.take(...late(shippedAll));
    await flow.give("c203", -15);
    await flow.take(...late([whole, whole]));
    expect(await flow.balance("c203")).toBe(6);
    const tasks = await flow.deps.db.query("select kind, detail from staff_task where subject = 'order/203'");
    expect(tasks).toEqual([{ kind: "points_not_taken", detail: { cause: "refund/203-r1", points: "-21" } }]);
    await flow.program({ refunds: { shortfall: "cap" } });
  });

  /** Placed once the program of the test is valid: it is the clock's now. */
  function processedLater(event: Parameters<typeof ofOrder>[2][number]) {
    if (event.type !== "OrderUpdated") return event;
    return { ...event, payload: { ...event.payload, processedAt: flow.clock.now() } };
  }
});

describe("pending days", () => {
  test("points come when the days have passed, less what was refunded meanwhile", async () => {
    const pending = await startOrderFlow({ program: { earning: { pending_days: 14 } } });
    await pending.take(...ofOrder("1", "7", SALE));
    expect(await pending.balance("7")).toBe(0);
    expect(await nextAwardDueAt(pending.deps.db)).toEqual(minute(2).add({ hours: 14 * 24 }));
    pending.clock.set(minute(2).add({ hours: 14 * 24 }));
    expect(await awardPendingOrders(pending.deps)).toBe(1);
    expect(await pending.balance("7")).toBe(7);
    expect(await nextAwardDueAt(pending.deps.db)).toEqual(minute(3).add({ hours: 14 * 24 }));
    await pending.take(...ofOrder("1", "7", [refunded(4, "r1", { lines: [["b", 1, 1_050]], moved: 1_050 })]));
    pending.clock.advance({ hours: 1 });
    const done = await Promise.all([1, 2, 3].map(() => awardPendingOrders(pending.deps)));
    expect(done.reduce((total, n) => total + n, 0)).toBe(1);
    expect(await pending.balance("7")).toBe(10);
    expect(await pending.order("1")).toEqual({ awardable_points: 10, points_awarded: 10, points_redeemed: 0 });
    expect(await nextAwardDueAt(pending.deps.db)).toBeNull();
    await pending.stop();
  });
});
