import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { body, line, shipped } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow({ program: { earning: { excluded_product_tags: ["no-points"] } } });
});
afterAll(() => flow.stop());

const put = (id: string, told: unknown) => flow.client.put(`/api/storefront/products/${id}`, told);

describe("products by the interface (program.md 4)", () => {
  test("what is absent stays unknown or as it was; ids keep their digits", async () => {
    const first = await put("820982911946154508", '{"collections": [820982911946154509, "summer"]}');
    expect([first.status, first.body]).toEqual([
      200,
      { data: { id: "820982911946154508", tags: null, collections: ["820982911946154509", "summer"] } },
    ]);
    const second = await put("820982911946154508", { tags: ["tea"] });
    expect(second.body.data).toMatchObject({ tags: ["tea"], collections: ["820982911946154509", "summer"] });
    expect((await put("820982911946154508", { tags: [] })).body.data.tags).toEqual([]);
  });

  test("an excluded tag that was told so keeps a line from earning", async () => {
    await put("p1", { tags: ["No-Points"] });
    const lines = [line("a", { price: 1_000, productId: "p1" }), line("b", { price: 500, productId: "p2" })];
    await flow.take(...ofOrder("1", "7", [body(1, lines), shipped(2, "f1", { a: 1, b: 1 })]));
    expect(await flow.balance("7")).toBe(5);
  });

  test.each([
    [{ tags: "tea" }, "/tags"],
    [{ tags: [5] }, "/tags/0"],
    [{ tags: null }, "/tags"],
    [{ collections: [""] }, "/collections/0"],
    [{ colections: ["77"] }, "/colections"],
  ])("%j is 422 that names the field", async (told, pointer) => {
    const answer = await put("p3", told);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source).toEqual({ pointer });
  });
});
