import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyProgram } from "../../src/program/apply-program.ts";
import { startReceiver, type TestReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";
import { UNACKNOWLEDGED } from "../support/webhook-flow.ts";

const API = "/api/storefront";

let service: TestService;
let receiver: TestReceiver;
let customerId = "";
let count = 0;

beforeAll(async () => {
  service = await startTestService({ now: "2026-03-01T09:30:00Z" });
  receiver = await startReceiver();
  const subscription = { topic: "point_balance/update", callback_url: receiver.url };
  expect((await service.client.post(`${API}/webhooks`, subscription)).status).toBe(200);
});
beforeEach(() => {
  customerId = `49000000${++count}`;
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

const put = (fields: object) => service.client.put(`${API}/customers/${customerId}`, fields);
const post = (point_value: number, id = customerId) =>
  service.client.post(`${API}/point_allotments`, { customer_id: id, point_value });

/** The deliveries about this customer so far: one about another customer comes after everything before it. */
async function told(): Promise<Record<string, unknown>[]> {
  const markId = `mark-${++count}`;
  await service.client.put(`${API}/customers/${markId}`, {});
  await post(1, markId);
  const bodies = () => receiver.arrivals.map(({ body }) => JSON.parse(body));
  await waitUntil(() => bodies().some(({ customer }) => customer.storefront_id === markId));
  await waitUntil(async () => (await service.deps.db.query(UNACKNOWLEDGED)).length === 0);
  return bodies().filter(({ customer }) => String(customer.storefront_id) === customerId);
}

describe("interface 6.3: point_balance/update", () => {
  test("tells the balance and the person", async () => {
    await put({ name: "千葉", birthday: "1988-04-12", accepts_marketing: true, account_enabled: true });
    const { uid } = (await service.client.get(`${API}/customers/${customerId}`)).body.data;
    await post(1_320);
    expect((await told()).at(-1)).toEqual({
      accepts_marketing: true,
      account_enabled: true,
      balance: 1_320,
      birthday: "1988-04-12",
      customer: { storefront_id: Number(customerId) },
      name: "千葉",
      point_expiration_date: "2027-03-02T00:00:00.000000+09:00",
      uid,
    });
  });

  test("earning and spending send one event each, setting the balance to what it is does not", async () => {
    await put({});
    await post(10);
    await post(-3);
    await service.client.post(`${API}/point_balances/${customerId}/set_balances`, { balance: 7 });
    await service.client.post(`${API}/point_balances/${customerId}/set_balances`, { balance: 9 });
    expect((await told()).map(({ balance }) => balance)).toEqual([10, 7, 9]);
  });

  test.each([
    ["another name", { name: "Hana" }, 1],
    ["the same name", { name: "Hanako" }, 0],
    ["another birthday", { birthday: "1990-01-01" }, 1],
    ["the same birthday", { birthday: "1988-04-12" }, 0],
    ["opting in to marketing", { accepts_marketing: true }, 1],
    ["opting out of marketing", { accepts_marketing: false }, 0],
    ["another e-mail", { email: "hana@example.com" }, 0],
    ["several causes at once", { name: "Hana", birthday: "--04-12", accepts_marketing: true }, 1],
  ])("%s", async (_name, change, updates) => {
    await put({ name: "Hanako", birthday: "1988-04-12" });
    await post(5);
    const before = (await told()).length;
    await put(change);
    expect(await told()).toHaveLength(before + updates);
  });

  test("an account that gets enabled while its balance has earned points", async () => {
    await put({ account_enabled: false });
    await post(5);
    const before = (await told()).length;
    await put({ account_enabled: true });
    expect((await told()).slice(before)).toMatchObject([{ account_enabled: true, balance: 5 }]);
  });

  test("changing the expiration settings tells nothing, though it changes the date", async () => {
    await put({});
    await post(5);
    const before = await told();
    const document = { expiration: { delay_months: 24 } };
    await applyProgram(service.deps, { document, author: "test", isDryRun: false });
    expect(await told()).toHaveLength(before.length);
    await post(1);
    expect((await told()).at(-1)).toMatchObject({ point_expiration_date: "2028-03-02T00:00:00.000000+09:00" });
  });

  test("a balance without points becomes active with the points that an order will give", async () => {
    await applyProgram(service.deps, { document: { earning: { pending_days: 14 } }, author: "test", isDryRun: false });
    await put({});
    await post(5);
    await post(-5);
    const before = (await told()).length;
    const order = (order_id: string, price: number) =>
      service.client.post(
        "/intake/events",
        {
          type: "OrderPaid",
          occurred_at: "2026-03-01T09:00:00Z",
          payload: {
            order_id,
            customer_id: customerId,
            shop_currency: "JPY",
            fulfillment_status: "fulfilled",
            lines: [{ line_id: "1", quantity: 1, unit_price: { minor: price, currency: "JPY" } }],
          },
        },
        { prefer: "wait=20" },
      );
    expect((await order(`${customerId}-0`, 0)).body.data[0].status).toBe("done");
    expect(await told()).toHaveLength(before);
    for (const n of [1, 1, 2]) expect((await order(`${customerId}-${n}`, 1_000)).body.data[0].status).toBe("done");
    expect((await told()).slice(before)).toMatchObject([{ balance: 0, account_enabled: true }]);
    await put({ account_enabled: false });
    await put({ account_enabled: true });
    expect((await told()).slice(before + 1)).toMatchObject([{ balance: 0, account_enabled: true }]);
    service.clock.advance({ hours: 24 * 15 });
    await waitUntil(async () => (await told()).length === before + 4);
    expect((await told()).slice(before + 2).map(({ balance }) => balance)).toEqual([10, 20]);
  });

  test("a balance without points becomes active with an order that a merge brings and that gives points later", async () => {
    await applyProgram(service.deps, { document: { earning: { pending_days: 14 } }, author: "test", isDryRun: false });
    await put({});
    await post(5);
    await post(-5);
    const before = (await told()).length;
    const send = (type: string, payload: object) => {
      const event = { type, occurred_at: service.clock.now().toString(), payload };
      return service.client.post("/intake/events", event, { prefer: "wait=20" });
    };
    const removedId = `${customerId}0`;
    const ordered = (order_id: string) => ({
      ...{ order_id, customer_id: removedId, shop_currency: "JPY", fulfillment_status: "fulfilled" },
      lines: [{ line_id: "1", quantity: 1, unit_price: { minor: 1_000, currency: "JPY" } }],
    });
    expect((await send("OrderPaid", ordered(`${customerId}-m`))).body.data[0].status).toBe("done");
    const merged = await send("CustomerMerged", { kept_id: customerId, removed_id: removedId });
    expect(merged.body.data[0].status).toBe("done");
    expect((await told()).slice(before)).toMatchObject([{ balance: 0, account_enabled: true }]);
  });
});
