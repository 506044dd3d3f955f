import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OrderFlow, startOrderFlow } from "../support/order-flow.ts";

const PATH = "/api/storefront/coupons";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { coupons: { point_worth: 2 } } });
  await flow.customer("7", { email: "hana@example.com" });
  await flow.give("7", 10_000);
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

describe("POST /coupons", () => {
  test("takes the points at once and answers the coupon", async () => {
    const before = await flow.balance("7");
    const answer = await flow.client.post(PATH, { customer_id: 7, point_value: 500, product_ids: ["p1", 2] });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        code: expect.stringMatching(/^[A-Z3-9]{4}-[A-Z3-9]{4}-[A-Z3-9]{4}$/),
        currency_value: 1_000,
        point_value: 500,
        points_reimbursed: 0,
        pos_discount: false,
        reimbursement_cascade: false,
        expires_at: "2026-03-02T00:00:00.000000Z",
      },
    });
    expect(await flow.balance("7")).toBe(before - 500);
    const { body } = await flow.client.get("/api/storefront/point_allotments/7?direction=desc");
    expect(body.data[0]).toMatchObject({ type: "api", point_value: -500, object: `coupon-${answer.body.data.id}` });
  });

  test("extends the expiry of the balance where coupons do", async () => {
    const rows = await flow.deps.db.query(
      "select extends, reason_type from allotment where source_key like 'coupon/%'",
    );
    expect(rows).toContainEqual({ extends: true, reason_type: "coupon" });
    const other = await startOrderFlow({ program: { expiration: { coupons_extend: false } } });
    await other.customer("7");
    await other.give("7", 10);
    await other.coupon("7", 10);
    expect(await other.deps.db.query("select extends from allotment where source_key like 'coupon/%'")).toEqual([
      { extends: false },
    ]);
    await other.stop();
  });

  test("a customer may be named by e-mail; an unknown one is 404, too few points 400, and nothing is written", async () => {
    const before = await flow.balance("7");
    expect((await flow.client.post(PATH, { customer_id: "Hana@example.com", point_value: 1 })).status).toBe(200);
    const unknown = await flow.client.post(PATH, { customer_id: "8", point_value: 1 });
    expect([unknown.status, unknown.body]).toEqual([
      404,
      { errors: [{ status: "404", title: "Customer was not found", code: "customer_not_found" }] },
    ]);
    const short = await flow.client.post(PATH, { customer_id: "7", point_value: 10_001 });
    expect(short.status).toBe(400);
    expect(short.body.errors[0].title).toBe("Point allotment would result in a negative balance");
    expect(await flow.balance("7")).toBe(before - 1);
  });

  test.each([
    {},
    { customer_id: "7" },
    { customer_id: "7", point_value: 0 },
    { customer_id: "7", point_value: -1 },
    { customer_id: "7", point_value: 1.5 },
    { customer_id: "7", point_value: "5" },
    { customer_id: "7", point_value: 9_007_199_254_740_991 },
    { customer_id: "7", point_value: 1, product_ids: "p1" },
    { customer_id: "7", point_value: 1, product_ids: [true] },
  ])("a body such as %j is 422", async (wanted) => {
    expect((await flow.client.post(PATH, wanted)).status).toBe(422);
  });

  test("the same Idempotency-Key issues one coupon, also at the same time", async () => {
    const before = await flow.balance("7");
    const wanted = { customer_id: "7", point_value: 10 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => flow.client.post(PATH, wanted, { "idempotency-key": "one coupon" })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await flow.balance("7")).toBe(before - 10);
  });

  test("coupons at once never overdraw", async () => {
    await flow.customer("9");
    await flow.give("9", 50);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => flow.client.post(PATH, { customer_id: "9", point_value: 10 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await flow.balance("9")).toBe(0);
    expect(new Set(answers.flatMap(({ body }) => body.data?.code ?? [])).size).toBe(5);
  });
});

describe("GET and DELETE /coupons/:code", () => {
  test("read a coupon by its code in any case", async () => {
    const { code, id } = await flow.coupon("7", 20);
    for (const form of [code, code.toLowerCase()]) {
      expect((await flow.client.get(`${PATH}/${form}`)).body.data).toMatchObject({ id, code, point_value: 20 });
    }
    expect((await flow.client.get(`${PATH}/NONE`)).body).toEqual({
      errors: [{ status: "404", title: "Coupon was not found", code: "coupon_not_found" }],
    });
  });

  test("delete one: its points come back once, however often and at once it is asked", async () => {
    const before = await flow.balance("7");
    const { code } = await flow.coupon("7", 20);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => flow.client.delete(`${PATH}/${code.toLowerCase()}`)),
    );
    for (const { status, body } of answers) expect([status, body.data.points_reimbursed]).toEqual([200, 20]);
    expect(await flow.balance("7")).toBe(before);
    expect((await flow.ledger("7")).at(-1)).toEqual(["coupon_cancellation", 20]);
    expect((await flow.client.delete(`${PATH}/NONE`)).status).toBe(404);
  });

  test("need a credential", async () => {
    for (const [method, path] of [
      ["GET", `${PATH}/A`],
      ["DELETE", `${PATH}/A`],
      ["POST", PATH],
    ] as const) {
      expect((await flow.client.as(null).request(method, path)).status).toBe(401);
    }
  });
});
