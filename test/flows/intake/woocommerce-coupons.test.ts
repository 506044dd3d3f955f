import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkLedger } from "../../../src/ledger/verify/check-ledger.ts";
import { awardPendingOrders } from "../../../src/orders/award-pending-orders.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { resolveCoupons } from "../../../src/platform-sync/resolve-coupons.ts";
import { mergeInto } from "../../support/customers.ts";
import { startWooService, type WooService, wooCustomer, wooOrder } from "../../support/woocommerce.ts";
import { startWooServer, type WooFate, type WooServer } from "../../support/woocommerce-server.ts";

const PATH = "/api/storefront/coupons";

let server: WooServer;
let service: WooService;
let count = 700;
beforeAll(async () => {
  server = await startWooServer();
  service = await startWooService({ server });
});
beforeEach(() => {
  server.fate = () => "done";
  server.coupons.length = 0;
  server.calls.length = 0;
});
afterEach(() => expect(server.faults).toEqual([]));
afterAll(async () => {
  await service.stop();
  await server.close();
});

/** A customer of the store with 1,000 points. */
async function shopper(fields: object = {}): Promise<string> {
  const id = ++count;
  await service.send("customer.created", wooCustomer({ email: `${id}@example.com`, ...fields, id }));
  const given = await service.client.post("/api/storefront/point_allotments", {
    customer_id: `${id}`,
    point_value: 1_000,
    type: "api",
  });
  expect(given.status).toBeLessThan(300);
  return `${id}`;
}

const buy = (customer_id: string, key?: string) =>
  service.client.post(PATH, { customer_id, point_value: 500 }, key === undefined ? {} : { "idempotency-key": key });

async function settle(): Promise<void> {
  for (const table of ["coupon_creation", "coupon_removal"])
    await service.deps.db.execute(`update ${table} set lease_until = '-infinity'`);
  await resolveCoupons(service.deps);
}

async function held(id: string): Promise<number> {
  const [row] = await service.deps.db.query<{ held: bigint }>(
    "select held_points as held from balance join customer_alias using (bucket, customer_uid) where storefront_id = $1",
    [id],
  );
  return Number(row?.held);
}

describe("a coupon in the store", () => {
  test("is for one customer, once, until it expires, in the store's currency", async () => {
    const customer = await shopper();
    const { body, status } = await buy(customer);
    expect(status).toBe(200);
    const [coupon] = server.coupons;
    expect(coupon).toMatchObject({
      ...{ code: body.data.code.toLowerCase(), discount_type: "fixed_cart", amount: "5.00" },
      ...{ description: `Pointkeeper coupon ${body.data.id}`, email_restrictions: [`${customer}@example.com`] },
      ...{ usage_limit: 1, usage_limit_per_user: 1, date_expires: "2026-03-11T10:00:00Z", product_ids: [] },
    });
    expect([await service.balance(customer), await held(customer)]).toEqual([500, 0]);
  });

  test("needs a customer whom the store knows by e-mail, and products of the store", async () => {
    const nobody = await shopper();
    await service.client.put(`/api/storefront/customers/${nobody}`, { email: null });
    const refused = await buy(nobody);
    expect([refused.status, refused.body.errors[0].source.pointer]).toEqual([422, "/customer_id"]);
    const bowl = { customer_id: await shopper(), point_value: 5, product_ids: ["bowl"] };
    expect((await service.client.post(PATH, bowl)).status).toBe(422);
    expect([server.calls, await service.balance(nobody)]).toEqual([[], 1_000]);
  });

  test("whose answer was lost is found by its code when the request comes again, and is made once", async () => {
    const customer = await shopper();
    server.fate = (call) => (call === "POST /wc/v3/coupons" ? "lost after" : "done");
    expect((await buy(customer, "lost")).status).toBe(503);
    expect([await service.balance(customer), await held(customer), server.coupons.length]).toEqual([500, 500, 1]);
    server.fate = () => "done";
    const again = await buy(customer, "lost");
    expect([again.status, again.body.data.code.toLowerCase()]).toEqual([200, server.coupons[0]?.["code"]]);
    expect([await service.balance(customer), await held(customer), server.coupons.length]).toEqual([500, 0, 1]);
  });

  test.each<[WooFate, number]>([
    ["lost before", 0],
    ["lost after", 1],
    ["cut", 1],
    ["503", 0],
  ])("that nobody asks for again is removed, and its points come back: %s", async (fate, made) => {
    const customer = await shopper();
    server.fate = (call) => (call === "POST /wc/v3/coupons" ? fate : "done");
    expect((await buy(customer)).status).toBe(503);
    expect([await held(customer), server.coupons.length]).toEqual([500, made]);
    server.fate = () => "lost before";
    await settle();
    expect(await held(customer)).toBe(500); // the store does not answer: nothing is known
    server.fate = () => "done";
    await settle();
    expect([await service.balance(customer), await held(customer), server.coupons]).toEqual([1_000, 0, []]);
  });

  test("of a key that may only read is 503, and costs nothing", async () => {
    const customer = await shopper();
    server.permission = "read";
    const answer = await buy(customer);
    server.permission = "read_write";
    expect([answer.status, await service.balance(customer), await held(customer)]).toEqual([503, 1_000, 0]);
  });
});

describe("a cancelled coupon", () => {
  const cancel = (code: string) => service.client.delete(`${PATH}/${code}`);

  test("is deleted in the store before its points come back", async () => {
    const customer = await shopper();
    const { code } = (await buy(customer)).body.data;
    const seen: number[] = [];
    server.before = async (call) => {
      if (call.startsWith("DELETE")) seen.push((await service.balance(customer)) ?? 0);
    };
    expect((await cancel(code)).status).toBe(200);
    server.before = async () => {};
    expect([seen, server.coupons, await service.balance(customer)]).toEqual([[500], [], 1_000]);
  });

  test("that an order used meanwhile keeps its points, whether the store said so before or with the deletion", async () => {
    for (const when of ["GET", "DELETE"]) {
      const customer = await shopper();
      const { code } = (await buy(customer)).body.data;
      server.before = async (call) => {
        if (call.startsWith(when)) Object.assign(server.coupons.at(-1) ?? {}, { usage_count: 1 });
      };
      expect((await cancel(code)).status).toBe(409);
      server.before = async () => {};
      expect(await service.balance(customer)).toBe(500);
    }
  });

  test("whose deletion was lost, or that somebody deleted, is gone", async () => {
    const customer = await shopper();
    const { code } = (await buy(customer)).body.data;
    server.fate = (call) => (call.startsWith("DELETE") ? "lost after" : "done");
    expect((await cancel(code)).status).toBe(503);
    expect(await service.balance(customer)).toBe(500);
    server.fate = () => "done";
    await settle();
    expect(await service.balance(customer)).toBe(1_000);
  });

  test("of which the store has two copies is removed in both; another's of the same code stays", async () => {
    const customer = await shopper();
    const { code } = (await buy(customer)).body.data;
    const [first] = server.coupons;
    if (first === undefined) throw new Error("no coupon");
    server.coupons.unshift({ ...first, id: 1, description: "ours since ever" });
    server.coupons.push({ ...first, id: 99_999 });
    expect((await cancel(code)).status).toBe(200);
    expect(server.coupons.map(({ id }) => id)).toEqual([1]);
  });
});

test("an order with the code, in the lower case of the store, uses the coupon", async () => {
  const customer = await shopper();
  const { code } = (await buy(customer)).body.data;
  const coupon_lines = [{ id: 5, code: code.toLowerCase(), discount: "5.00", discount_tax: "0.00" }];
  await service.send("order.updated", wooOrder({ id: 9_001, customer_id: Number(customer), coupon_lines }));
  expect((await service.client.delete(`${PATH}/${code}`)).status).toBe(409);
  expect([await service.balance(customer), server.coupons.length]).toEqual([500, 1]);
});

describe("an order with the code that is cancelled", () => {
  const withCode = async (id: number, code: string, customer: string, fields: object) =>
    service.send(
      "order.updated",
      wooOrder({
        ...{ id, number: `${id}`, customer_id: Number(customer) },
        coupon_lines: [{ id: 5, code: code.toLowerCase(), discount: "5.00", discount_tax: "0.00" }],
        ...fields,
      }),
    );
  const at = (day: number) => ({ date_modified_gmt: `2026-03-${day}T10:00:00` });
  const UNPAID = { date_paid_gmt: null };

  test("unpaid gives the coupon's points back, and its code is removed, because the store lets it be used again", async () => {
    const customer = await shopper();
    const { code } = (await buy(customer)).body.data;
    await withCode(9_100, code, customer, { status: "pending", ...UNPAID, ...at(10) });
    expect(await service.balance(customer)).toBe(500);
    await withCode(9_100, code, customer, { status: "cancelled", ...UNPAID, ...at(11) });
    expect(await service.balance(customer)).toBe(1_000);
    await settle();
    expect([server.coupons, await service.balance(customer)]).toEqual([[], 1_000]);
    await withCode(9_100, code, customer, { status: "processing", ...at(12) });
    expect(await service.balance(customer)).toBe(500);
  });

  test("does not give them back again for points that could not be taken when it was paid after all", async () => {
    const customer = await shopper();
    const { code } = (await buy(customer)).body.data;
    const spend = (points: number) =>
      service.client.post("/api/storefront/point_allotments", { customer_id: customer, point_value: -points });
    await withCode(9_103, code, customer, { status: "cancelled", ...UNPAID, ...at(10) });
    await spend(800);
    await withCode(9_103, code, customer, { status: "processing", ...at(11) });
    expect(await service.balance(customer)).toBe(0); // 200 of 500 could be taken
    await withCode(9_103, code, customer, { status: "cancelled", ...at(12) });
    expect(await service.balance(customer)).toBe(200);
    await withCode(9_103, code, customer, { status: "cancelled", ...at(13) });
    expect(await service.balance(customer)).toBe(200);
    const checked = await checkLedger(service.deps.db, { more: ORDER_CHECKS });
    expect(checked.checks.filter(({ faults }) => faults > 0)).toEqual([]);
  });

  test("after it was paid, too, by a node whose clock was ahead", async () => {
    const customer = await shopper();
    const { code } = (await buy(customer)).body.data;
    await withCode(9_101, code, customer, { status: "processing", ...at(10) });
    await service.owner.execute(
      "update coupon_use set used_at = used_at + interval '3 seconds' where order_id = '9101'",
    );
    await withCode(9_101, code, customer, { status: "cancelled", ...at(11) });
    await settle();
    expect([server.coupons, await service.balance(customer)]).toEqual([[], 1_000]);
  });

  test("while its customer is deleted, too: a merge would bring the points back", async () => {
    const [customer, kept] = [await shopper(), await shopper()];
    const { code } = (await buy(customer)).body.data;
    await withCode(9_104, code, customer, { status: "pending", ...UNPAID, ...at(10) });
    await service.send("customer.deleted", { id: Number(customer) });
    await withCode(9_104, code, customer, { status: "cancelled", ...UNPAID, ...at(11) });
    await settle();
    expect(server.coupons).toEqual([]);
    await mergeInto(service.deps, customer, kept);
    await awardPendingOrders(service.deps);
    expect(await service.balance(kept)).toBe(2_000);
  });

  test("waits where the payment failed: the customer may try again", async () => {
    const customer = await shopper();
    const { code } = (await buy(customer)).body.data;
    await withCode(9_102, code, customer, { status: "failed", ...UNPAID, ...at(10) });
    await settle();
    expect([server.coupons.length, await service.balance(customer)]).toEqual([1, 500]);
  });
});
