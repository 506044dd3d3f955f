import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PATH = "/api/storefront/point_allotments";
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00.123456Z" });
});
afterAll(() => service.stop());

const balanceOf = async (id: string) =>
  (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;

describe("interface 4.6: create an allotment", () => {
  test("answers 200 with id, uid, inserted_at, point_value and the balance", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.post(PATH, {
      customer_id: storefrontId,
      point_value: 120,
      reason: { type: "compensation", note: "late parcel" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        uid: answer.body.data.id,
        inserted_at: "2026-03-01T00:30:00.123456Z",
        point_value: 120,
        point_balance: {
          id: storefrontId,
          expiration_delay: 12,
          expires_at: "2027-03-01T15:00:00.000000Z",
          point_balance: 120,
        },
      },
    });
  });

  test("Prefer: return=minimal answers 201 with the three documented fields only", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.post(
      PATH,
      { customer_id: storefrontId, point_value: 5 },
      { prefer: "return=minimal" },
    );
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body.data).sort()).toEqual(["id", "inserted_at", "point_value"]);
    expect(await balanceOf(storefrontId)).toBe(5);
  });

  test.each([
    ['Return="minimal"', 201],
    ["wait=3, return = minimal; x=1", 201],
    ["return=minimal-ish", 200],
    ["x-return=minimal", 200],
  ])("Prefer: %s is %i", async (prefer, status) => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.post(PATH, { customer_id: storefrontId, point_value: 5 }, { prefer });
    expect([answer.status, answer.headers.get("preference-applied") !== null]).toEqual([status, status === 201]);
  });

  test.each(["0.99999999999999999999", "1e-400", "9007199254740990.5"])(
    "points of %s are no integer",
    async (points) => {
      const { storefrontId } = await makeCustomer(service.deps);
      const answer = await service.client.post(PATH, `{"customer_id":"${storefrontId}","point_value":${points}}`);
      expect(answer.status).toBe(422);
      expect(await balanceOf(storefrontId)).toBe(0);
    },
  );

  test("a balance below zero is 400 with the documented title and writes nothing", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    await service.client.post(PATH, { customer_id: storefrontId, point_value: 10 });
    const answer = await service.client.post(PATH, { customer_id: storefrontId, point_value: -11 });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      errors: [
        { status: "400", title: "Point allotment would result in a negative balance", code: "negative_balance" },
      ],
    });
    expect(await balanceOf(storefrontId)).toBe(10);
    const list = await service.client.get(`${PATH}/${storefrontId}`);
    expect(list.body.data).toHaveLength(1);
  });

  test("an unknown customer is 404 with the documented title", async () => {
    const answer = await service.client.post(PATH, { customer_id: "404404", point_value: 1 });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      errors: [{ status: "404", title: "Customer was not found", code: "customer_not_found" }],
    });
  });

  test("the newer error shape is answered to x-api-version 2.0.0", async () => {
    const answer = await service.client.post(
      PATH,
      { customer_id: "404404", point_value: 1 },
      { "x-api-version": "2.0.0" },
    );
    expect(answer.body).toEqual({
      status: 404,
      title: "Customer was not found",
      errors: [{ title: "Customer was not found", code: "customer_not_found" }],
    });
  });

  test("a customer may be named by an integer beyond 2^53, digit for digit, or by e-mail", async () => {
    const storefrontId = "820982911946154508";
    await makeCustomer(service.deps, { storefrontId, email: "big@example.com" });
    const byNumber = await service.client.post(PATH, `{"customer_id": ${storefrontId}, "point_value": 7}`);
    expect(byNumber.status).toBe(200);
    expect(byNumber.body.data.point_balance.id).toBe(storefrontId);
    const byEmail = await service.client.post(PATH, { customer_id: "BIG@example.com", point_value: 3 });
    expect(byEmail.body.data.point_balance).toMatchObject({ id: storefrontId, point_balance: 10 });
  });

  test.each([
    ["0", "point_value"],
    ["1.5", "point_value"],
    ['"5"', "point_value"],
    ["true", "point_value"],
    ["null", "point_value"],
    ["9007199254740992", "point_value"],
    ["-9007199254740993", "point_value"],
    ["1e400", "point_value"],
  ])("point_value %s is 422 and names the field", async (value, field) => {
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.post(PATH, `{"customer_id": "${storefrontId}", "point_value": ${value}}`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ status: "422", source: { pointer: `/${field}` } });
    expect(answer.body.errors[0].detail).toContain("integer");
    expect(await balanceOf(storefrontId)).toBe(0);
  });

  test("a balance beyond 2^53 - 1 is 422 and writes nothing", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    await service.client.post(PATH, { customer_id: storefrontId, point_value: 9_007_199_254_740_991 });
    const answer = await service.client.post(PATH, { customer_id: storefrontId, point_value: 1 });
    expect(answer.status).toBe(422);
    expect(await balanceOf(storefrontId)).toBe(9_007_199_254_740_991);
  });

  test("reasons: the eight types, a note of 255 code points; another type or a longer note is 422", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const types = [
      "compensation",
      "coupon",
      "expiration",
      "fulfillment",
      "refund",
      "reward",
      "system_fix",
      "test_allotment",
    ];
    for (const type of types) {
      const answer = await service.client.post(PATH, {
        customer_id: storefrontId,
        point_value: 1,
        reason: { type, note: null },
      });
      expect(answer.status).toBe(200);
    }
    const body = (reason: object | null) => ({ customer_id: storefrontId, point_value: 1, reason });
    expect((await service.client.post(PATH, body(null))).status).toBe(200); // as an absent one
    expect(
      (await service.client.post(PATH, body({ type: "reward", note: "点".repeat(200) + "😀".repeat(55) }))).status,
    ).toBe(200);
    expect((await service.client.post(PATH, body({ type: "reward", note: "x".repeat(256) }))).status).toBe(422);
    expect((await service.client.post(PATH, body({ type: "gift" }))).status).toBe(422);
    expect((await service.client.post(PATH, body({ note: "no type" }))).status).toBe(422);
    expect((await service.client.post(PATH, body({ type: "reward", note: "nul \u0000" }))).status).toBe(422);
    expect(await balanceOf(storefrontId)).toBe(10);
  });

  test("64 clients taking from one customer never overdraw and never lose one", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    await service.client.post(PATH, { customer_id: storefrontId, point_value: 500 });
    const taken: number[] = [];
    const refused: number[] = [];
    const client = async () => {
      for (let i = 0; i < 12; i++) {
        const answer = await service.client.post(PATH, { customer_id: storefrontId, point_value: -1 });
        (answer.status === 200 ? taken : refused).push(answer.status);
      }
    };
    await Promise.all(Array.from({ length: 64 }, client));
    expect(taken).toHaveLength(500);
    expect(refused).toEqual(Array.from({ length: 64 * 12 - 500 }, () => 400));
    expect(await balanceOf(storefrontId)).toBe(0);
  });

  test("the same key sent 100 times at once posts once and gives 100 equal answers", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const send = () =>
      service.client.post(
        PATH,
        { customer_id: storefrontId, point_value: 40 },
        { "idempotency-key": `award-${storefrontId}` },
      );
    const answers = await Promise.all(Array.from({ length: 100 }, send));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true")).toHaveLength(99);
    expect(await balanceOf(storefrontId)).toBe(40);
  });

  test("the same key with another body is 422; a refusal is answered again", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    const headers = { "idempotency-key": `take-${storefrontId}` };
    const first = await service.client.post(PATH, { customer_id: storefrontId, point_value: -5 }, headers);
    expect(first.status).toBe(400);
    await service.client.post(PATH, { customer_id: storefrontId, point_value: 5 });
    const again = await service.client.post(PATH, { customer_id: storefrontId, point_value: -5 }, headers);
    expect(again.status).toBe(400);
    expect(again.text).toBe(first.text);
    const other = await service.client.post(PATH, { customer_id: storefrontId, point_value: -4 }, headers);
    expect(other.status).toBe(422);
    expect(await balanceOf(storefrontId)).toBe(5);
  });
});
