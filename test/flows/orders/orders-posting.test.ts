import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyOrderEvent } from "../../../src/orders/apply-order-event.ts";
import { awardPendingOrders } from "../../../src/orders/award-pending-orders.ts";
import type { OrderEvent } from "../../../src/orders/facts/merge-facts.ts";
import { nextAwardDueAt } from "../../../src/orders/next-award-due-at.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { body, cancelled, line, minute, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

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
      { numRuns: exampleRuns(20) },
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

describe("ids that are unique only within their order", () => {
  /** The same ids of shipments and refunds, whichever order it is. */
  const withId = (orderId: string, customerId: string, events: readonly OrderEvent[]): OrderEvent[] =>
    ofOrder(orderId, customerId, events).map((event) => unprefixed(event, `${orderId}-`));

  test("each order has its own shipment S-1 and refund R-1, with tax apart too", async () => {
    const own = await startOrderFlow({ program: { earning: { separate_tax: true } } });
    const lines = [line("1", { price: 10_000, tax: 1_000 })];
    const sale = [body(1, lines, { taxesIncluded: false }), shipped(2, "S-1", { 1: 1 })];
    for (const id of ["A", "B"]) await own.take(...withId(id, `c${id}`, sale));
    expect([await own.balance("cA"), await own.balance("cB")]).toEqual([110, 110]);
    const back = refunded(4, "R-1", { lines: [["1", 1, 10_000, 1_000]], moved: 11_000 });
    for (const id of ["A", "B"]) await own.take(...withId(id, `c${id}`, [back, back]));
    expect([await own.balance("cA"), await own.balance("cB")]).toEqual([0, 0]);
    expect(await own.order("B")).toEqual({ awardable_points: 0, points_awarded: 0, points_redeemed: 0 });
    expect(await own.faults()).toEqual([]);
    await own.stop();
  });

  test("what was posted under keys without the order counts once, and takes nothing from another order", async () => {
    const old = await startOrderFlow();
    const sale = [body(1, [line("1", { price: 10_000, quantity: 2 })]), shipped(2, "S-1", { 1: 2 })];
    const back = refunded(4, "R-1", { lines: [["1", 1, 10_000]], moved: 10_000 });
    await old.take(...withId("A", "cA", [...sale, back]));
    await asBeforeOrdersInKeys(old, "A");
    await old.take(...withId("A", "cA", [...sale, back, back, shipped(2, "S-1", { 1: 2 })]));
    expect(await old.balance("cA")).toBe(100);
    expect(await old.ledger("cA")).toEqual([
      ["fulfillment", 200],
      ["refund", -100],
    ]);
    await old.take(...withId("B", "cB", [...sale, back])); // the same ids, of which the keys were once A's
    expect([await old.balance("cB"), await old.order("B")]).toEqual([
      100,
      { awardable_points: 100, points_awarded: 100, points_redeemed: 0 },
    ]);
    await old.take(...withId("A", "cA", [cancelled(9)]));
    expect(await old.balance("cA")).toBe(0);
    expect(await old.faults()).toEqual([]);
    await old.stop();
  });

  test("a key that something else was posted under raises a task: the points are not lost in silence", async () => {
    const own = await startOrderFlow();
    const sale = [body(1, LINES), shipped(2, "f1", { a: 3, b: 1 })];
    const back = refunded(4, "y", { moved: 1_000 });
    await own.take(...ofOrder("z", "cz", sale), ...withId("z", "cz", [back]));
    for (const set of ["order_posting set cause", "allotment set source_key"]) {
      const text = `update ${set} = 'refund/x/y' where type = 'refund'`; // the refund "x/y", as keys were without the order
      expect(await own.owner.execute(text)).toBe(1);
    }
    await own.take(...ofOrder("x", "cx", sale), ...withId("x", "cx", [back]));
    expect(await own.order("x")).toMatchObject({ awardable_points: 11, points_awarded: 21 });
    const tasks = await own.deps.db.query("select kind, detail from staff_task where subject = 'order/x'");
    expect(tasks).toEqual([{ kind: "refund_key_used", detail: { cause: "refund/x/y", points: "-10" } }]);
    await own.stop();
  });

  function unprefixed(event: OrderEvent, prefix: string): OrderEvent {
    const bare = (id: string): string => id.slice(prefix.length);
    if (event.type === "OrderFulfilled") {
      const { fulfillment } = event.payload;
      const fulfillmentId = bare(fulfillment.fulfillmentId);
      return { ...event, payload: { ...event.payload, fulfillment: { ...fulfillment, fulfillmentId } } };
    }
    if (event.type !== "OrderRefunded") return event;
    const { refund } = event.payload;
    return { ...event, payload: { ...event.payload, refund: { ...refund, refundId: bare(refund.refundId) } } };
  }

  /** Writes the keys of an order's postings as versions did that had no order in them. */
  async function asBeforeOrdersInKeys({ owner }: OrderFlow, orderId: string): Promise<void> {
    for (const [table, column] of [
      ["order_posting", "cause"],
      ["allotment", "source_key"],
    ] as const) {
      const changed = await owner.execute(
        `update ${table} set ${column} = replace(${column}, $1, '/') where ${column} ~ '^(fulfillment|tax|refund)/'`,
        [`/${orderId}/`],
      );
      expect(changed).toBe(2);
    }
  }
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
    expect(tasks).toEqual([{ kind: "points_not_taken", detail: { cause: "refund/203/203-r1", points: "-21" } }]);
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

  test("points that came are not taken back because a clock is some seconds behind", async () => {
    const pending = await startOrderFlow({ program: { earning: { pending_days: 14 } } });
    await pending.take(...ofOrder("1", "7", SALE));
    const dueAt = minute(2).add({ hours: 14 * 24 });
    pending.clock.set(dueAt);
    await awardPendingOrders(pending.deps);
    pending.clock.set(dueAt.subtract({ seconds: 2 }));
    await pending.take(...ofOrder("1", "7", SALE));
    expect(await pending.ledger("7")).toEqual([["fulfillment", 7]]);
    expect(await nextAwardDueAt(pending.deps.db)).toEqual(minute(3).add({ hours: 14 * 24 }));
    await pending.stop();
  });
});
