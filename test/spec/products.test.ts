import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { body, line, shipped } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";

let flow: OrderFlow;
beforeAll(async () => {
  const bonus_collections = [{ collection_id: "77", point_value: 1, currency_value: 100 }];
  flow = await startOrderFlow({ program: { earning: { excluded_product_tags: ["no-points"], bonus_collections } } });
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

  test("a product that becomes known before the order awards counts as if it had been known; later it changes nothing", async () => {
    const lines = ["p4", "p5", "p6"].map((productId, n) => line(`${n}`, { price: 1_000, productId }));
    await put("p4", { tags: ["tea"] });
    await flow.take(...ofOrder("2", "8", [body(1, lines)]));
    for (const id of ["p4", "p5"]) await put(id, { tags: ["no-points"] });
    await flow.take(...ofOrder("2", "8", [shipped(2, "f1", { 0: 1 })]));
    await put("p6", { tags: ["no-points"] });
    await flow.take(...ofOrder("2", "8", [shipped(3, "f2", { 1: 1, 2: 1 })]));
    expect(await flow.order("2")).toMatchObject({ awardable_points: 20, points_awarded: 20 });
  });

  test("tags and collections become known each on its own: what was known when the order first named the product stays", async () => {
    await put("p7", { tags: ["tea"] });
    await put("p8", { collections: ["88"] });
    const lines = [line("a", { price: 1_000, productId: "p7" }), line("b", { price: 500, productId: "p8" })];
    await flow.take(...ofOrder("3", "9", [body(1, lines)]));
    for (const id of ["p7", "p8"]) await put(id, { tags: ["no-points"], collections: ["77"] });
    await flow.take(...ofOrder("3", "9", [shipped(2, "f1", { a: 1 })]));
    await put("p8", { tags: ["tea"] });
    await flow.take(...ofOrder("3", "9", [shipped(3, "f2", { b: 1 })]));
    expect(await flow.order("3")).toMatchObject({ awardable_points: 20, points_awarded: 20 }); // 10, and 10 of the bonus
  });

  test("a guest's order awards once it has a customer: until then its unknown products become known", async () => {
    await put("p10", { tags: ["tea"] });
    const lines = [line("a", { price: 1_000, productId: "p9" }), line("b", { price: 500, productId: "p10" })];
    const email = "guest@shop.example";
    await flow.take(...ofOrder("4", null, [body(1, lines, { email }), shipped(2, "f1", { a: 1, b: 1 })]));
    for (const id of ["p9", "p10"]) await put(id, { tags: ["no-points"] });
    await flow.assignGuestOrders("10", email);
    expect(await flow.order("4")).toMatchObject({ awardable_points: 5, points_awarded: 5 });
    await put("p9", { tags: ["tea"] });
    await flow.take(...ofOrder("4", "10", [body(3, lines, { email })]));
    expect(await flow.order("4")).toMatchObject({ awardable_points: 5, points_awarded: 5 });
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
