import { afterAll, beforeAll, expect, test } from "vitest";
import { aggregateLiabilityAll } from "../../support/aggregate-liability-all.ts";
import { body, line, minute, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { signIn } from "../../support/staff.ts";

// What was paid for goods is shared with the points that they earn, whenever the order counts toward tiers, and each figure leads to its rows.

const DAYS = 24 * 60;
let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({
    now: "2026-03-10T00:00:00Z",
    program: { earning: { point_value: 1, currency_value: 10 }, expiration: { delay_months: 24 } },
  });
  await flow.customer("anna");
  const manager = await signIn(flow, "manager");
  const estimate = { month: "2026-03", redemption: "97", point_price: "0.989011" };
  expect((await manager.put("/liability/estimate", estimate)).status).toBe(200);
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

async function report(month: string) {
  await aggregateLiabilityAll(flow);
  const { status, body: answer } = await flow.client.get(`/api/storefront/reports/liability?month=${month}`);
  expect({ month, status }).toEqual({ month, status: 200 });
  return answer.data;
}

/** The rows behind the issued points of orders. */
async function movements(month: string, more = ""): Promise<Record<string, unknown>[]> {
  const path = `/api/storefront/reports/liability/movements?month=${month}&kind=issued&origin=sale${more}`;
  return (await flow.client.get(path)).body.data;
}

async function rows(month: string, more = "") {
  const data = await movements(month, more);
  const sum = (field: string) => data.reduce((total, row) => total + Number(row[field]), 0);
  return { points: sum("points"), sales: sum("sales") };
}

async function salesOf(month: string) {
  return (await movements(month)).map(({ sales }) => sales);
}

test("an order that is sent in parts has its price in the months of its parts", async () => {
  const lines = [line("a", { price: 33_333, quantity: 2 }), line("b", { price: 33_334 })];
  const [stated, first, second] = ofOrder("parts", "anna", [
    body(0, lines),
    shipped(1, "f", { a: 1 }),
    shipped(32 * DAYS, "g", { a: 1, b: 1 }),
  ]);
  if (stated === undefined || first === undefined || second === undefined) throw new Error("there are three");
  await flow.take(stated, first);
  const march = await report("2026-03");
  expect(march.total.issued).toBe(3_334);
  expect(march.revenue.total).toMatchObject({ sales: "33340", additions: "3001" });
  expect(await rows("2026-03")).toEqual({ points: 3_334, sales: 33_340 });
  flow.clock.set("2026-04-10T00:00:00Z");
  await flow.take(second);
  const april = await report("2026-04");
  expect(april.total.issued).toBe(10_000 - 3_334);
  expect(april.revenue.total.sales).toBe(String(100_000 - 33_340));
  expect(await rows("2026-04")).toEqual({ points: 6_666, sales: 66_660 });
  expect((await report("2026-03")).revenue).toEqual(march.revenue);
  expect(await rows("2026-03")).toEqual({ points: 3_334, sales: 33_340 });
});

test("the rows of what was booked for an earlier month are its own, also after the order's credit time has moved", async () => {
  const lines = [line("a", { price: 5_000 })];
  await flow.take(...ofOrder("late", "anna", [body(30, lines), shipped(31, "f", { a: 1 })]));
  const april = await report("2026-04");
  expect(april.late).toEqual([{ month: "2026-03", kind: "issued", points: 500, movements: 1 }]);
  expect(await rows("2026-04", "&cause=2026-03")).toEqual({ points: 500, sales: 5_000 });
  const more = [...lines, line("b", { price: 1_000 })];
  const edited = [body(40 * DAYS, more), shipped(41 * DAYS, "g", { b: 1 })];
  await flow.take(...ofOrder("late", "anna", edited));
  expect((await report("2026-04")).late).toEqual(april.late);
  expect(await rows("2026-04", "&cause=2026-03")).toEqual({ points: 500, sales: 5_000 });
  expect(await rows("2026-04")).toEqual({ points: 6_666 + 600, sales: 66_660 + 6_000 });
});

test("an order that is awarded when it is paid has its price then, though it counts toward tiers when it is sent", async () => {
  flow.clock.set("2026-05-10T00:00:00Z");
  await flow.program({ earning: { award_on: "paid" } });
  flow.clock.set("2026-05-10T05:00:00Z");
  const processedAt = minute(70 * DAYS + 60);
  await flow.take(...ofOrder("paid", "anna", [body(70 * DAYS + 61, [line("a", { price: 100_000 })], { processedAt })]));
  expect(await flow.spend("paid")).toBeNull();
  const may = await report("2026-05");
  expect(may.total.issued).toBe(10_000);
  expect(may.revenue.total).toMatchObject({ sales: "100000", additions: "9000", closing: may.revenue.total.closing });
  expect(await rows("2026-05")).toEqual({ points: 10_000, sales: 100_000 });
});

test("an award that an earlier version posted has the price that its order says when it is counted, and its row none", async () => {
  flow.clock.set("2026-06-10T00:00:00Z");
  await flow.take(
    ...ofOrder("before", "anna", [body(100 * DAYS, [line("a", { price: 7_000 })]), shipped(101 * DAYS, "f", { a: 1 })]),
  );
  await flow.owner.execute("update order_posting set price_minor = null, credited_at = null where order_id = 'before'");
  expect((await report("2026-06")).revenue.total.sales).toBe("7000");
  expect(await salesOf("2026-06")).toEqual([null]);
  flow.clock.set("2026-06-12T00:00:00Z");
  await flow.take(
    ...ofOrder("before", "anna", [refunded(102 * DAYS, "r", { lines: [["a", 1, 7_000]], moved: 7_000 })]),
  );
  expect((await report("2026-06")).revenue.total.sales).toBe("7000");
  expect(await salesOf("2026-06")).toEqual([null]);
});

test("an order that moves away from a deleted customer has its price again, for the points of its new one", async () => {
  flow.clock.set("2026-07-10T00:00:00Z");
  const lines = [line("a", { price: 100_000 })];
  await flow.take(...ofOrder("moved", "gone", [body(126 * DAYS, lines), shipped(127 * DAYS, "f", { a: 1 })]));
  await flow.remove("gone");
  await flow.take(...ofOrder("moved", "ben", [body(128 * DAYS, lines)]));
  expect(await flow.balance("ben")).toBe(10_000);
  const july = await report("2026-07");
  expect(july.total).toMatchObject({ issued: 20_000, forfeited: 10_000 });
  expect(july.revenue.total.sales).toBe("200000");
  expect(await rows("2026-07")).toEqual({ points: 20_000, sales: 200_000 });
});
