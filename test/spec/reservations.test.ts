import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PATH = "/api/storefront/reservations";
const NONE = "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:30:00.123456Z" });
});
afterAll(() => service.stop());

async function give(id: string, points: number) {
  await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: points });
}

async function customerWith(points: number, more: { email?: string } = {}): Promise<string> {
  const { storefrontId } = await makeCustomer(service.deps, more);
  await give(storefrontId, points);
  return storefrontId;
}

async function balance(id: string): Promise<number> {
  return (await service.client.get(`/api/storefront/point_balances/${id}`)).body.data.point_balance;
}

async function allotments(id: string): Promise<{ type: string; point_value: number; object: string | null }[]> {
  return (await service.client.get(`/api/storefront/point_allotments/${id}`)).body.data;
}

const reserve = (customer_id: string, point_value: number, ttl_seconds = 900) =>
  service.client.post(PATH, { customer_id, point_value, ttl_seconds });

describe("POST /reservations", () => {
  test("holds points: they are not available, and no allotment tells of them", async () => {
    const id = await customerWith(100);
    const answer = await reserve(id, 30);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          customer_id: id,
          point_value: 30,
          captured: 0,
          state: "held",
          expires_at: "2026-03-01T00:45:00.123456Z",
          point_balance: {
            id,
            point_balance: 70,
            expiration_delay: 12,
            expires_at: expect.stringContaining("2027-03-"),
          },
        },
      },
    ]);
    expect(await balance(id)).toBe(70);
    expect(await allotments(id)).toHaveLength(1);
    expect((await service.client.get(`${PATH}/${answer.body.data.id}`)).body).toEqual(answer.body);
  });

  test("what is held cannot be spent, reserved or set away", async () => {
    const id = await customerWith(100);
    await reserve(id, 60);
    const spend = await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -41 });
    const again = await reserve(id, 41);
    for (const { status, body } of [spend, again]) {
      expect(status).toBe(400);
      expect(body).toEqual({
        errors: [
          { status: "400", title: "Point allotment would result in a negative balance", code: "negative_balance" },
        ],
      });
    }
    const set = await service.client.post(`/api/storefront/point_balances/${id}/set_balances`, { balance: 0 });
    expect(set.body.data).toMatchObject({ point_value: -40, point_balance: { point_balance: 0 } });
    expect((await reserve(id, 1)).status).toBe(400);
  });

  test("a customer may be named by e-mail; an unknown one is 404", async () => {
    await customerWith(10, { email: "hold@example.com" });
    expect((await reserve("HOLD@example.com", 4)).body.data.point_balance.point_balance).toBe(6);
    const unknown = await reserve("123404", 1);
    expect([unknown.status, unknown.body.errors[0].title]).toEqual([404, "Customer was not found"]);
  });

  test.each([
    [{ point_value: 1, ttl_seconds: 1 }, "/customer_id"],
    [{ customer_id: "1", ttl_seconds: 1 }, "/point_value"],
    [{ customer_id: "1", point_value: 1 }, "/ttl_seconds"],
    [{ customer_id: "1", point_value: 0, ttl_seconds: 1 }, "/point_value"],
    [{ customer_id: "1", point_value: -1, ttl_seconds: 1 }, "/point_value"],
    [{ customer_id: "1", point_value: "1", ttl_seconds: 1 }, "/point_value"],
    [{ customer_id: "1", point_value: 1, ttl_seconds: 0 }, "/ttl_seconds"],
    [{ customer_id: "1", point_value: 1, ttl_seconds: 1.5 }, "/ttl_seconds"],
    [{ customer_id: "1", point_value: 1, ttl_seconds: 31_536_001 }, "/ttl_seconds"],
  ])("%j is 422 at %s", async (wanted, pointer) => {
    const answer = await service.client.post(PATH, wanted);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source).toEqual({ pointer });
  });

  test("the same Idempotency-Key holds once, also at the same time", async () => {
    const id = await customerWith(100);
    const body = { customer_id: id, point_value: 10, ttl_seconds: 60 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.client.post(PATH, body, { "idempotency-key": "one hold" })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await balance(id)).toBe(90);
  });
});

describe("POST /reservations/:id/capture", () => {
  test("takes all of it, as an allotment of type api", async () => {
    const id = await customerWith(100);
    const { body } = await reserve(id, 30);
    const captured = await service.client.post(`${PATH}/${body.data.id}/capture`);
    expect([captured.status, captured.body.data]).toEqual([
      200,
      { ...body.data, state: "captured", captured: 30, point_balance: expect.objectContaining({ point_balance: 70 }) },
    ]);
    expect((await allotments(id)).at(-1)).toMatchObject({
      type: "api",
      point_value: -30,
      object: `reservation-${body.data.id}`,
    });
  });

  test("takes a part and releases the rest", async () => {
    const id = await customerWith(100);
    const { body } = await reserve(id, 100);
    const captured = await service.client.post(`${PATH}/${body.data.id}/capture`, { point_value: 1 });
    expect(captured.body.data).toMatchObject({ state: "captured", captured: 1, point_value: 100 });
    expect(captured.body.data.point_balance.point_balance).toBe(99);
  });

  test("of more than it holds, or of nothing, is 422 and changes nothing", async () => {
    const id = await customerWith(100);
    const { body } = await reserve(id, 30);
    for (const point_value of [31, 0, -1, "5"]) {
      expect((await service.client.post(`${PATH}/${body.data.id}/capture`, { point_value })).status).toBe(422);
    }
    expect(await balance(id)).toBe(70);
    expect((await service.client.get(`${PATH}/${body.data.id}`)).body.data.state).toBe("held");
  });

  test("the same Idempotency-Key captures once and gets the same answer", async () => {
    const id = await customerWith(100);
    const path = `${PATH}/${(await reserve(id, 30)).body.data.id}/capture`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.client.post(path, {}, { "idempotency-key": "capture" })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await balance(id)).toBe(70);
  });
});

describe("the end of a reservation", () => {
  test("release gives everything back", async () => {
    const id = await customerWith(100);
    const { body } = await reserve(id, 30);
    const released = await service.client.post(`${PATH}/${body.data.id}/release`);
    expect([released.status, released.body.data.state]).toEqual([200, "released"]);
    expect(released.body.data.point_balance.point_balance).toBe(100);
    expect(await allotments(id)).toHaveLength(1);
  });

  test("captured or released, it cannot end again: 409", async () => {
    const id = await customerWith(100);
    const end = (uid: string, how: string) => service.client.post(`${PATH}/${uid}/${how}`);
    const [first, second] = [(await reserve(id, 10)).body.data.id, (await reserve(id, 10)).body.data.id];
    await end(first, "capture");
    await end(second, "release");
    for (const how of ["capture", "release"]) {
      const [captured, released] = [await end(first, how), await end(second, how)];
      expect([captured.status, captured.body.errors[0].title]).toEqual([409, "Reservation was captured already"]);
      expect([released.status, released.body.errors[0].title]).toEqual([409, "Reservation was released already"]);
    }
    expect(await balance(id)).toBe(90);
  });

  test("it ends by itself at its time, to every read at once and without a sweep", async () => {
    const id = await customerWith(100);
    const { body } = await reserve(id, 60, 10);
    const uid = body.data.id;
    service.clock.advance({ milliseconds: 9_999 });
    expect(await balance(id)).toBe(40);
    service.clock.advance({ milliseconds: 1 });
    expect(await balance(id)).toBe(100);
    expect((await service.client.get(`${PATH}/${uid}`)).body.data).toMatchObject({
      state: "released",
      captured: 0,
      expires_at: body.data.expires_at,
      point_balance: { point_balance: 100 },
    });
    expect((await service.client.post(`${PATH}/${uid}/capture`)).status).toBe(409);
    expect((await service.client.post(`${PATH}/${uid}/release`)).status).toBe(409);
    await give(id, -100);
    expect(await balance(id)).toBe(0);
  });

  test.each([NONE, "nothing", `${NONE}0`])("an unknown one, %s, is 404", async (uid) => {
    const answers = [
      await service.client.get(`${PATH}/${uid}`),
      await service.client.post(`${PATH}/${uid}/capture`),
      await service.client.post(`${PATH}/${uid}/release`),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        404,
        { errors: [{ status: "404", title: "Reservation was not found", code: "reservation_not_found" }] },
      ]);
    }
  });

  test("needs a credential", async () => {
    for (const [method, path] of [
      ["POST", PATH],
      ["GET", `${PATH}/${NONE}`],
      ["POST", `${PATH}/${NONE}/capture`],
      ["POST", `${PATH}/${NONE}/release`],
    ] as const) {
      expect((await service.client.as(null).request(method, path)).status).toBe(401);
    }
  });
});
