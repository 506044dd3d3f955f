import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runReceipts } from "../../../src/intake/run-receipts.ts";
import { type Answer, basic } from "../../support/client.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

const PATH = "/intake/events";

let service: IntakeService;

beforeAll(async () => {
  service = await startIntakeService({ program: { store: { currency: "JPY" } } });
});
afterAll(() => service.stop());
afterEach(async () => {
  await service.drain();
  await service.owner.execute("delete from receipt");
});

function post(body: unknown, headers?: Record<string, string>): Promise<Answer> {
  return service.client.post(PATH, body, headers);
}

async function balanceOf(customerId: string): Promise<unknown> {
  return (await service.client.get(`/api/storefront/point_balance/${customerId}`)).body.data?.point_balance;
}

function customer(id: string | bigint, more: object = {}): object {
  return { type: "CustomerUpserted", payload: { customer_id: id, ...more } };
}

function order(orderId: string, customerId: string, price = 1_000): object {
  return {
    type: "OrderPaid",
    delivery_key: `paid-${orderId}`,
    occurred_at: "2026-02-01T10:00:00Z",
    payload: {
      order_id: orderId,
      customer_id: customerId,
      shop_currency: "JPY",
      taxes_included: true,
      processed_at: "2026-02-01T10:00:00Z",
      lines: [{ line_id: `${orderId}-1`, quantity: 1, unit_price: { minor: price, currency: "JPY" } }],
    },
  };
}

function shipment(orderId: string): object {
  const fulfillment = { fulfillment_id: `S-${orderId}`, lines: [{ line_id: `${orderId}-1`, quantity: 1 }] };
  return {
    type: "OrderFulfilled",
    delivery_key: `shipped-${orderId}`,
    occurred_at: "2026-02-02T10:00:00Z",
    payload: { order_id: orderId, fulfillment },
  };
}

describe("what is taken", () => {
  test("one event, a list, an object with events: 202 with the state of each", async () => {
    const one = await post({ ...customer("E-1"), delivery_key: "first" });
    expect([one.status, one.body]).toEqual([202, { data: [{ delivery_key: "first", status: "new" }] }]);
    const list = await post([order("E-O1", "E-1"), shipment("E-O1")]);
    expect(list.body.data.map((entry: { delivery_key: string }) => entry.delivery_key)).toEqual([
      "paid-E-O1",
      "shipped-E-O1",
    ]);
    expect((await post({ events: [customer("E-2", { name: "Hana" })] })).status).toBe(202);
    await service.drain();
    expect((await service.receipts()).map(({ state }) => state)).toEqual(["done", "done", "done", "done"]);
    expect(await balanceOf("E-1")).toBe(10);
  });

  test("a thousand events", async () => {
    const answer = await post(Array.from({ length: 1_000 }, (_, n) => customer(`bulk-${n}`)));
    expect([answer.status, answer.body.data.length]).toEqual([202, 1_000]);
    await service.drain();
    expect((await service.receipts()).every(({ state }) => state === "done")).toBe(true);
    expect(await balanceOf("bulk-999")).toBe(0);
  });

  test("ids beyond 2^53 stay digit for digit", async () => {
    await post(`{"type":"CustomerUpserted","payload":{"customer_id":9007199254740993,"email":"big@example.com"}}`);
    await service.drain();
    const answer = await service.client.get("/api/storefront/customers/big%40example.com");
    expect(answer.body.data.id).toBe("9007199254740993");
  });

  test("an absent field is unknown, null is none", async () => {
    await post(
      customer("E-3", { email: "e3@example.com", name: "Hana", accepts_marketing: true, birthday: "--05-17" }),
    );
    await service.drain();
    await post(customer("E-3", { name: null }));
    await service.drain();
    expect((await service.client.get("/api/storefront/customers/E-3")).body.data).toMatchObject({
      email: "e3@example.com",
      name: null,
      accepts_marketing: true,
      birthday: "--05-17",
      account_enabled: null,
    });
  });

  test("an event with a key or a time is taken once, and answered with what became of it", async () => {
    const dated = { ...customer("E-4"), occurred_at: "2026-02-01T00:00:00Z" };
    await post([order("E-O4", "E-4"), dated]);
    await service.drain();
    const again = await post([order("E-O4", "E-4"), dated]);
    expect(again.body.data).toMatchObject([{ delivery_key: "paid-E-O4", status: "done" }, { status: "done" }]);
    expect(await service.receipts()).toHaveLength(2);
  });

  test("one without either is taken each time: another may have come between", async () => {
    for (const name of ["Hana", "Mori", "Hana"]) {
      await post(customer("E-5", { name }));
      await service.drain();
    }
    expect((await service.client.get("/api/storefront/customers/E-5")).body.data.name).toBe("Hana");
  });

  test("an event for an order that is not known waits for it", async () => {
    await post([shipment("E-O6")]);
    await service.drain();
    expect(await service.receipts()).toMatchObject([{ state: "waiting", note: expect.stringContaining("not known") }]);
    const answer = await post(shipment("E-O6"));
    expect(answer.body.data).toMatchObject([{ status: "waiting", error: expect.stringContaining("not known") }]);
    await post([customer("E-6"), order("E-O6", "E-6")]);
    await service.drain();
    expect((await service.receipts()).map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(await balanceOf("E-6")).toBe(10);
  });

  test("a guest's order waits by e-mail and awards when the customer appears", async () => {
    const guest = order("E-O7", "");
    await post([
      { ...guest, payload: { ...Object(guest).payload, customer_id: null, email: "Guest@example.com" } },
      shipment("E-O7"),
    ]);
    await service.drain();
    await post(customer("E-7", { email: "guest@example.com" }));
    await service.drain();
    expect(await balanceOf("E-7")).toBe(10);
  });

  test("a workflow's run counts once, and is refused where the balance is too small", async () => {
    const run = (runId: string, points: number) => ({
      type: "FlowAdjustRequested",
      payload: { run_id: runId, customer: { email: "e9@example.com" }, point_value: points, note: "A thank-you" },
    });
    await post(customer("E-9", { email: "e9@example.com" }));
    await service.drain();
    await post([run("run-1", 50), run("run-1", 50), run("run-2", -60)]);
    await service.drain();
    const { body } = await service.client.get("/api/storefront/point_allotments/E-9");
    expect(body.data).toMatchObject([{ type: "flow", point_value: 50, app_reference: "manual_integration" }]);
    const notes = (await service.receipts()).map(({ note }) => note);
    expect(notes).toEqual(expect.arrayContaining([expect.stringContaining("negative_balance")]));
    await service.deps.db.execute("update receipt set state = 'failed' where state = 'new'");
  });

  test("test orders are kept and never award", async () => {
    await post([customer("E-8"), { ...order("E-O8", "E-8"), test: true }, shipment("E-O8")]);
    await service.drain();
    expect((await service.receipts()).map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(await balanceOf("E-8")).toBe(0);
  });
});

describe("Prefer: wait", () => {
  const prefer = { prefer: "respond-async, wait=10" };

  test("answers once the events are processed", async () => {
    const ending = new AbortController();
    const running = runReceipts(service.deps, { signal: ending.signal });
    const answer = await post([customer("W-1"), order("W-O1", "W-1"), shipment("W-O1"), shipment("W-O2")], prefer);
    expect(answer.status).toBe(202);
    expect(answer.headers.get("preference-applied")).toBe("wait=10");
    expect(answer.body.data.map(({ status }: { status: string }) => status)).toEqual([
      "done",
      "done",
      "done",
      "waiting",
    ]);
    expect(await balanceOf("W-1")).toBe(10);
    const keyed = { ...prefer, "idempotency-key": "wait-1" };
    const first = await post(order("W-O3", "W-1"), keyed);
    const second = await post(order("W-O3", "W-1"), keyed);
    expect(first.body.data).toEqual([{ delivery_key: "paid-W-O3", status: "done" }]);
    expect([second.status, second.text, second.headers.get("idempotent-replayed")]).toEqual([202, first.text, "true"]);
    ending.abort();
    await running;
  });

  test("answers at once where many requests wait already", async () => {
    const sent = Array.from({ length: 60 }, (_, n) => post(order(`W-P${n}`, "W-3"), { prefer: "wait=2" }));
    const applied = (await Promise.all(sent)).map(({ headers }) => headers.get("preference-applied"));
    expect(applied.filter((header) => header === "wait=2")).toHaveLength(50);
    expect(applied.filter((header) => header === null)).toHaveLength(10);
  });

  test("answers after the seconds all the same", async () => {
    const answer = await post(order("W-O4", "W-2"), { prefer: "wait=1" });
    expect([answer.status, answer.body.data[0].status]).toEqual([202, "new"]);
  });
});

describe("what is refused", () => {
  test("one fault in a batch of all or none: 422 naming each fault, nothing stored", async () => {
    const wrong = { type: "OrderPaid", payload: { lines: [{ quantity: "2" }] } };
    const batch = [customer("R-1"), wrong, { type: "Unknown", payload: {} }];
    const answer = await post(batch, { prefer: "handling=strict" });
    expect(answer.status).toBe(422);
    const pointers = answer.body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer);
    expect(pointers).toEqual(expect.arrayContaining(["/1/payload/order_id", "/1/payload/lines/0/quantity", "/2/type"]));
    expect(await service.receipts()).toEqual([]);
  });

  test("more than a thousand, no JSON, no body, another credential's scope", async () => {
    expect((await post(Array.from({ length: 1_001 }, (_, n) => customer(`many-${n}`)))).status).toBe(422);
    expect((await post("{")).status).toBe(400);
    expect((await post(undefined)).status).toBe(400);
    expect((await service.client.as(null).post(PATH, customer("R-2"))).status).toBe(401);
    expect(
      (await service.client.as(basic({ key: "pk_test", secret: "wrong" })).post(PATH, customer("R-2"))).status,
    ).toBe(401);
    expect(await service.receipts()).toEqual([]);
  });

  test("another body under a used Idempotency-Key: 422, not stored", async () => {
    const headers = { "idempotency-key": "twice" };
    const first = await post(order("R-O1", "R-3"), headers);
    expect((await post(order("R-O1", "R-3"), headers)).text).toBe(first.text);
    expect((await post(order("R-O2", "R-3"), headers)).status).toBe(422);
    expect((await post(order("R-O2", "R-3"), { ...headers, prefer: "wait=1" })).status).toBe(422);
    expect(await service.receipts()).toHaveLength(1);
  });
});
