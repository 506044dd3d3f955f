import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShownStatement } from "../../src/admin/customers/account-schema.ts";
import { findCustomer } from "../../src/customers/find-customer.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { API, yen } from "../support/explain.ts";
import { type IntakeService, startIntakeService } from "../support/intake.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: IntakeService;
let viewer: AdminClient;
beforeAll(async () => {
  service = await startIntakeService({
    now: "2026-03-31T14:00:00Z", // 23:00 in Tokyo
    program: { store: { currency: "JPY", time_zone: "Asia/Tokyo" }, expiration: { delay_months: 12 } },
  });
  viewer = await signIn(service, "viewer");
  await service.client.put(`${API}/customers/hana`, { name: "Hana" });
  await give(500);
  service.clock.set("2026-03-31T15:00:00Z"); // the first instant of April there
  await give(-30);
  await sell();
});
afterAll(() => service.stop());

const give = (point_value: number) =>
  service.client.post(`${API}/point_allotments`, { customer_id: "hana", point_value });

async function sell(): Promise<void> {
  const lines = ["a", "b"].map((line_id) => ({
    line_id,
    title: `Bowl ${line_id}`,
    quantity: 1,
    unit_price: yen(5_000),
  }));
  const shipped = { fulfillment_id: "f", lines: lines.map(({ line_id }) => ({ line_id, quantity: 1 })) };
  const facts = { order_id: "7001", order_name: "#1588", customer_id: "hana", shop_currency: "JPY", lines };
  const events = [
    { type: "OrderPaid", payload: facts },
    { type: "OrderFulfilled", payload: { order_id: "7001", fulfillment: shipped } },
  ];
  expect((await service.client.post("/intake/events", events)).status).toBe(202);
  await service.drain();
}

async function statementOf(query: string, id = "hana"): Promise<ShownStatement> {
  const { status, body } = await viewer.get(`/customers/${id}/statement?${query}`);
  expect(status).toBe(200);
  return body.data;
}

function expectAddsUp({ opening, closing, lines, earlier_points, movements }: ShownStatement): void {
  expect(lines.reduce((sum, { given, taken }) => sum + given + taken, opening)).toBe(closing);
  expect(movements.reduce((sum, { points }) => sum + points, opening + earlier_points)).toBe(closing);
  if (movements.length > 0) expect(movements.at(-1)?.balance_after).toBe(closing);
}

test("a month by the store's days: what there was, what moved, what there is", async () => {
  const march = await statementOf("from=2026-03-01&until=2026-03-31");
  expect(march).toMatchObject({ opening: 0, closing: 500, earlier_count: 0 });
  expect(march.movements).toHaveLength(1);
  const april = await statementOf("from=2026-04-01&until=2026-04-30");
  expect(april).toMatchObject({ opening: 500, closing: 570, available: 570, orders: 1, today: "2026-04-01" });
  expect(april.movements).toEqual([
    expect.objectContaining({ kind: "other", points: -30, balance_after: 470, order_name: null }),
    expect.objectContaining({ kind: "order", points: 100, order_name: "#1588", titles: ["Bowl a", "Bowl b"] }),
  ]);
  expect(april.expiries.reduce((sum, { points }) => sum + points, april.later)).toBe(570);
  const before = await statementOf("from=2026-01-01&until=2026-01-31");
  expect(before).toMatchObject({ opening: 0, closing: 0, movements: [], lines: [] });
  for (const statement of [march, april, before, await statementOf("")]) expectAddsUp(statement);
});

test("without a period: from the month before until today", async () => {
  expect(await statementOf("")).toMatchObject({ from: "2026-03-01", until: "2026-04-01" });
});

test("a period of thousands lists the newest, behind the sum of those before", async () => {
  await service.client.put(`${API}/customers/busy`, {});
  const customer = await findCustomer(service.deps.db, "busy");
  for (let batch = 0; batch < 3; batch++) {
    const postings = Array.from({ length: 900 }, (_, n) => {
      const change = { kind: "add", pointValue: BigInt(n % 5 === 4 ? -2 : 3), shortfall: "refuse" } as const;
      return { customer, posting: plainPosting(service.deps.random.uid(), "api", "till", change) };
    });
    await service.deps.db.tx((tx) => postAllotments(tx, service.deps, postings));
  }
  const statement = await statementOf("from=2026-04-01&until=2026-04-01", "busy");
  expect(statement).toMatchObject({ earlier_count: 1_700, closing: 3 * (720 * 3 - 180 * 2) });
  expect(statement.movements).toHaveLength(1_000);
  expectAddsUp(statement);
});

test("what cannot be read is refused by name", async () => {
  for (const [query, parameter] of [
    ["from=yesterday", "from"],
    ["until=2026-02-30", "until"],
    ["from=2026-04-02&until=2026-04-01", "until"],
  ]) {
    const { status, body } = await viewer.get(`/customers/hana/statement?${query}`);
    expect(status, query).toBe(422);
    expect(JSON.stringify(body)).toContain(parameter);
  }
  expect((await viewer.get("/customers/nobody/statement")).status).toBe(404);
});
