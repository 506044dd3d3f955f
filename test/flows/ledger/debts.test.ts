import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { body, cancelled, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { signIn } from "../../support/staff.ts";

const API = "/api/storefront";
const SALE = [body(1, [line("a", { price: 10_000 })]), shipped(2, "f1", { a: 1 })];

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { refunds: { shortfall: "owe" } } });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** Who has spent what a cancelled order took back: 100 points are owed. */
async function debtor(id: string): Promise<void> {
  await flow.take(...ofOrder(`o-${id}`, id, SALE));
  await flow.give(id, -100);
  await flow.take(...ofOrder(`o-${id}`, id, [cancelled(9)]));
}

const shown = async (id: string) => (await flow.client.get(`${API}/point_balances/${id}`)).body.data;
const explained = async (id: string, query = "") =>
  (await flow.client.get(`${API}/point_balances/${id}/explanation${query}`)).body.data;

test("what is owed is shown wherever the balance is, and goes down as it is paid", async () => {
  await debtor("d1");
  expect(await shown("d1")).toMatchObject({ point_balance: 0, points_owed: 100 });
  const account = await explained("d1");
  expect(account).toMatchObject({ owed_points: 100, point_balance: { points_owed: 100 } });
  expect(account.words).toContain(
    "100 points are owed: they had been spent before a refund took them back, and are deducted from the next points earned.",
  );
  const inJapanese = await explained("d1", "?language=ja");
  expect(inJapanese.words.some((text: string) => text.includes("100 ポイントが不足分"))).toBe(true);
  const posted = await flow.client.post(`${API}/point_allotments`, { customer_id: "d1", point_value: 60 });
  expect(posted.body.data).toMatchObject({ point_value: 60, point_balance: { point_balance: 0, points_owed: 40 } });
  const listed = (await flow.client.get(`${API}/point_allotments/d1`)).body.data;
  expect(listed.at(-1).point_balance).toMatchObject({ points_owed: 40 });
  await flow.give("d1", 70);
  expect(await shown("d1")).toMatchObject({ point_balance: 30 });
  expect(await shown("d1")).not.toHaveProperty("points_owed"); // as ever, where nothing is owed
});

test("setting a balance settles what is owed: the next points are the customer's whole", async () => {
  await debtor("d2");
  const set = await flow.client.post(`${API}/point_balances/d2/set_balance`, { balance: 50 });
  expect(set.body.data).toMatchObject({ point_value: 50, point_balance: { point_balance: 50 } });
  expect(set.body.data.point_balance).not.toHaveProperty("points_owed");
  await flow.give("d2", 30);
  expect(await shown("d2")).toMatchObject({ point_balance: 80 });
  const told = (await flow.client.get(`${API}/point_allotments/uid/${set.body.data.uid}/explanation`)).body.data;
  expect(told).toMatchObject({ settled_debt: 100 });
  expect(told.words).toContain("The balance was set: 100 points that were owed are no longer owed.");
});

test("set to what it is: the difference is 0, and the debt is settled all the same", async () => {
  await debtor("d3");
  const set = await flow.client.post(`${API}/point_balances/d3/set_balance`, { balance: 0 });
  expect(set.body.data).toMatchObject({ point_value: 0 });
  await flow.give("d3", 30);
  expect((await shown("d3")).point_balance).toBe(30);
});

test("a balance set in the dashboard settles it too", async () => {
  await debtor("d4");
  const manager = await signIn(flow, "manager");
  const answer = await manager.post("/customers/d4/adjustments", {
    request_uid: randomUUID(),
    balance: 20,
    note: "sorry",
  });
  expect(answer.status).toBeLessThan(300);
  expect(await shown("d4")).toMatchObject({ point_balance: 20 });
  expect(await explained("d4")).toMatchObject({ owed_points: 0 });
});

test("a debt that a balance to set would settle counts as points given: above the limit it waits for a second person", async () => {
  await debtor("d5");
  await debtor("d6");
  await flow.program({ staff: { approval_limit: 150 } });
  const support = await signIn(flow, "support");
  const owner = await signIn(flow, "owner");
  const set = (id: string, balance: number) =>
    support.post(`/customers/${id}/adjustments`, { request_uid: randomUUID(), balance });
  expect((await set("d5", 50)).body.data.state).toBe("posted"); // 50 and the 100 that were owed
  expect((await set("d5", 51)).body.data.state).toBe("waiting");
  const preview = await support.get("/customers/d6/adjustment-preview?balance=51");
  expect(preview.body.data).toMatchObject({ point_value: 51, needs_approval: true });
  const asked = await set("d6", 51);
  expect(asked.body.data).toMatchObject({ state: "waiting", point_value: 151 });
  expect(await shown("d6")).toMatchObject({ point_balance: 0, points_owed: 100 });
  expect((await owner.post(`/approvals/${asked.body.data.request_uid}/approve`, {})).status).toBe(200);
  expect(await shown("d6")).toMatchObject({ point_balance: 51 });
  expect(await shown("d6")).not.toHaveProperty("points_owed");
  await flow.program({ staff: { approval_limit: null } });
});
