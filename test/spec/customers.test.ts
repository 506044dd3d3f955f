import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

const put = (id: string, body: unknown) => service.client.put(`/api/storefront/customers/${id}`, body);

describe("customers by the interface (program.md 2)", () => {
  test("are created with 201 and changed with 200; what is absent stays", async () => {
    const created = await put("820982911946154508", {
      email: "Hanako@Example.com",
      name: "Hanako",
      birthday: "1988-02-29",
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      data: {
        id: "820982911946154508",
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        email: "hanako@example.com",
        name: "Hanako",
        birthday: "1988-02-29",
        accepts_marketing: null,
        account_enabled: null,
        created_at: "2026-03-01T00:00:00.000000Z",
      },
    });
    const changed = await put("820982911946154508", { name: null, birthday: "--02-29", accepts_marketing: true });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({
      ...created.body.data,
      name: null,
      birthday: "--02-29",
      accepts_marketing: true,
    });
    const read = await service.client.get("/api/storefront/customers/HANAKO%40example.com");
    expect(read.body).toEqual(changed.body);
  });

  test("have a balance at once", async () => {
    await put("with-balance", {});
    const answer = await service.client.post("/api/storefront/point_allotments", {
      customer_id: "with-balance",
      point_value: 5,
    });
    expect(answer.body.data.point_balance.point_balance).toBe(5);
  });

  test.each<[unknown, string]>([
    [{ email: "no address" }, "/email"],
    [{ email: 5 }, "/email"],
    [{ name: 5 }, "/name"],
    [{ birthday: "1987-02-29" }, "/birthday"],
    [{ birthday: "--02-30" }, "/birthday"],
    [{ birthday: "12 April" }, "/birthday"],
    [{ accepts_marketing: "true" }, "/accepts_marketing"],
    [{ account_enabled: 1 }, "/account_enabled"],
    [{ nickname: "Hana" }, "/nickname"],
  ])("refuse %j with 422", async (body, pointer) => {
    const answer = await put("refused", body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ status: "422", source: { pointer } });
    expect((await service.client.get("/api/storefront/customers/refused")).status).toBe(404);
  });

  test("have an id of at most 1,000 characters and 2,600 bytes: else 422", async () => {
    // no two characters in a row are the same: an index keeps texts that repeat themselves in less
    const idOf = (length: number) =>
      String.fromCodePoint(...Array.from({ length }, (_, n) => 0x4e00 + ((n * 7_919) % 20_000)));
    expect((await put(encodeURIComponent(idOf(866)), {})).status).toBe(201);
    for (const id of [idOf(867), idOf(1_000)]) {
      const answer = await put(encodeURIComponent(id), {});
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0]).toMatchObject({ status: "422", source: { parameter: "id" } });
      expect((await service.client.get(`/api/storefront/customers/${encodeURIComponent(id)}`)).status).toBe(404);
    }
  });

  test("that share an e-mail cannot be named by it: 409", async () => {
    await put("twin-1", { email: "twin@example.com" });
    await put("twin-2", { email: "TWIN@example.com" });
    for (const path of [
      "customers/twin@example.com",
      "point_balances/twin@example.com",
      "point_balances/twin@example.com/tier",
    ]) {
      const answer = await service.client.get(`/api/storefront/${path}`);
      expect(answer.status).toBe(409);
      expect(answer.body.errors[0].title).toBe("More than one customer has this e-mail");
    }
  });

  test("that nobody knows are 404, and an e-mail creates nobody", async () => {
    expect((await service.client.get("/api/storefront/customers/nobody")).status).toBe(404);
    expect((await put("nobody@example.com", { name: "Nobody" })).status).toBe(404);
  });
});
