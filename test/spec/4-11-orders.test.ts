import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { body, line, shipped } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";

const PATH = "/api/storefront/orders";
const BIG = "820982911946154508";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
  const sale = [body(1, [line("a", { price: 1_000 })]), shipped(2, "f1", { a: 1 })];
  await flow.take(...ofOrder(BIG, "7", sale), ...ofOrder("2", "7", sale.slice(0, 1)));
});
afterAll(() => flow.stop());

describe("GET /orders", () => {
  test("answers an object by order id, with the three fields of 2.7 and nothing else", async () => {
    const answer = await flow.client.get(`${PATH}?ids=${BIG},2`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        [BIG]: { awardable_points: 10, points_awarded: 10, points_redeemed: 0 },
        "2": { awardable_points: 10, points_awarded: 0, points_redeemed: 0 },
      },
    });
  });

  test("unknown ids are absent, spaces and empty parts do no harm", async () => {
    expect((await flow.client.get(`${PATH}?ids=999,%202,,nobody`)).body).toEqual({
      data: { "2": { awardable_points: 10, points_awarded: 0, points_redeemed: 0 } },
    });
    expect((await flow.client.get(`${PATH}?ids=999`)).body).toEqual({ data: {} });
  });

  test("ids after the first 250 are ignored", async () => {
    const unknown = Array.from({ length: 249 }, (_, n) => `x${n}`).join(",");
    expect(Object.keys((await flow.client.get(`${PATH}?ids=${unknown},2,${BIG}`)).body.data)).toEqual(["2"]);
    const thousands = Array.from({ length: 3_000 }, (_, n) => `${BIG}${n}`).join(",");
    const answer = await flow.client.get(`${PATH}?ids=2,${thousands}`);
    expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ["2"]]);
  });

  test.each(["", "?ids=", "?ids=,%20,"])("without an id (%s) it is 422, naming the parameter", async (query) => {
    const answer = await flow.client.get(PATH + query);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ status: "422", source: { parameter: "ids" } });
  });

  test("needs a credential", async () => {
    expect((await flow.client.as(null).get(`${PATH}?ids=2`)).status).toBe(401);
  });
});
