import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "../../src/http/paging.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PATH = "/api/storefront/point_allotments";
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T09:30:00.123456Z" });
});
afterAll(() => service.stop());

describe("interface 4.4: allotments of a customer", () => {
  test("elements are those of the store's list with point_balance beside", async () => {
    const customer = await makeCustomer(service.deps, { email: "lists@example.com" });
    await service.client.post(PATH, { customer_id: customer.storefrontId, point_value: 50 });
    await service.client.post(PATH, { customer_id: customer.storefrontId, point_value: -20 });
    const store = await service.client.get(PATH);
    const own = await service.client.get(`${PATH}/${encodeURIComponent("Lists@example.com")}`);
    const point_balance = {
      id: customer.storefrontId,
      expiration_delay: 12,
      expires_at: "2027-03-01T15:00:00.000000Z",
      point_balance: 30,
    };
    expect(own.body.data).toEqual(store.body.data.map((row: object) => ({ ...row, point_balance })));
    expect(own.body.data[0]).toMatchObject({ point_value: 50, points_deducted: 20 });
    expect(own.body.data[1]).toMatchObject({ point_value: -20, points_deducted: 0 });
  });

  test("before and after are exclusive", async () => {
    const customer = await makeCustomer(service.deps);
    service.clock.set("2026-04-01T00:00:00Z");
    await service.client.post(PATH, { customer_id: customer.storefrontId, point_value: 1 });
    const list = async (query: string) =>
      (await service.client.get(`${PATH}/${customer.storefrontId}?${query}`)).body.data.length;
    expect(await list("after=2026-04-01T00:00:00Z")).toBe(0);
    expect(await list("before=2026-04-01T00:00:00Z")).toBe(0);
    expect(await list("after=2026-03-31T23:59:59.999999Z&before=2026-04-01T00:00:00.000001Z")).toBe(1);
    expect(await list("before=2026-04-01T00:00:00.0000001Z")).toBe(1); // between two microseconds
    expect(await list("before=2026-04-01T00:00:00.0000000Z")).toBe(0);
    expect(await list("after=2026-03-31T23:59:59.9999999Z&before=9999-12-31T23:59:59.9999999Z")).toBe(1);
    expect(await list("after=2026-04-01T00:00:00.0000001Z")).toBe(0);
    expect(await list("after=2026-04-01T08:59:59.999999%2B09:00")).toBe(1);
    expect(await list("after=2026-04-01T00:00:00")).toBe(0);
    // a plain date is that day in Tokyo: 2026-03-31T15:00Z to 2026-04-01T15:00Z
    expect(await list("before=2026-04-01")).toBe(0);
    expect(await list("before=2026-04-02")).toBe(1);
    expect(await list("after=2026-03-31")).toBe(1);
    expect(await list("after=2026-04-01")).toBe(0);
  });

  test("a cursor is good for its customer, direction and filters alone", async () => {
    const [one, two] = [await makeCustomer(service.deps), await makeCustomer(service.deps)];
    for (const { storefrontId } of [one, two])
      for (let i = 0; i < 5; i++) await service.client.post(PATH, { customer_id: storefrontId, point_value: 1 });
    const list = (of: { storefrontId: string }, query: string) =>
      service.client.get(`${PATH}/${of.storefrontId}?per_page=2&${query}`);
    const { next_cursor: cursor } = (await list(one, "")).body.meta;
    expect((await list(one, `cursor=${cursor}`)).body.data).toHaveLength(2);
    expect((await list(one, `cursor=${cursor}&per_page=1`)).status).toBe(422); // given twice
    expect((await list(one, `cursor=${cursor}&direction=ASC`)).status).toBe(200);
    for (const [of, query] of [
      [two, ""],
      [one, "&direction=desc"],
      [one, "&type=api"],
      [one, "&after=2026-01-01"],
      [one, "&before=2027-01-01"],
    ] as const) {
      const answer = await list(of, `cursor=${cursor}${query}`);
      expect([answer.status, answer.body.errors?.[0]], query).toEqual([
        422,
        {
          status: "422",
          title: "Invalid value",
          code: "invalid",
          detail: "expected a next_cursor of this list: of the same customer, direction and filters",
          source: { parameter: "cursor" },
        },
      ]);
    }
    const filtered = (await list(one, "type=api&after=2026-01-01")).body.meta.next_cursor;
    expect((await list(one, `type=api&after=2026-01-01&cursor=${filtered}`)).body.data).toHaveLength(2);
    expect((await list(one, `type=api&cursor=${filtered}`)).status).toBe(422);
    expect((await list(one, "cursor=nonsense")).status).toBe(422);
    const id = encodeURIComponent(one.storefrontId);
    expect(
      (await service.client.get(`${PATH}/${id}?cursor=${cursor}&point_balance_uid=${one.customerUid}`)).status,
    ).toBe(200);
  });

  test("a cursor of a version before, bound to nothing, still reads on and gives a bound one", async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    for (let i = 0; i < 5; i++) await service.client.post(PATH, { customer_id: storefrontId, point_value: 1 });
    const old = encodeCursor(["v3"]);
    const page = await service.client.get(`${PATH}/${storefrontId}?cursor=${old}`);
    expect([page.status, page.body.data.length]).toEqual([200, 2]);
    expect(decodeCursor(page.body.meta.next_cursor)).toHaveLength(2);
  });

  test("the list of an unknown customer is 404; of one without points it is empty", async () => {
    expect((await service.client.get(`${PATH}/404404`)).status).toBe(404);
    const { storefrontId } = await makeCustomer(service.deps);
    const answer = await service.client.get(`${PATH}/${storefrontId}`);
    expect(answer.body).toMatchObject({ data: [], meta: { page: 1, has_more: false } });
  });
});
