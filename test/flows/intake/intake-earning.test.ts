import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IntakeService } from "../../support/intake.ts";
import { line, order, sendEvents, ships, startUsdStore, usd } from "../../support/usd-orders.ts";

// What a sender of plain events may say of an order, and what it then earns.

let service: IntakeService;

beforeAll(async () => {
  service = await startUsdStore();
});
afterAll(() => service.stop());

function fulfilled(id: string, fulfillment: object, at = "2026-03-02T10:00:00Z"): object {
  return {
    type: "OrderFulfilled",
    occurred_at: at,
    payload: { order_id: id, fulfillment: { updated_at: at, ...fulfillment } },
  };
}

const send = (...events: readonly object[]) => sendEvents(service, events);

async function balance(id: string): Promise<number> {
  return (await service.client.get(`/api/storefront/point_balance/C-${id}`)).body.data?.point_balance;
}

async function allotments(id: string): Promise<number[]> {
  const answer = await service.client.get(`/api/storefront/point_allotments/C-${id}?direction=asc`);
  return answer.body.data.map(({ point_value }: { point_value: number }) => point_value);
}

describe("a discount of the order that no line carries", () => {
  test("is shared out over the goods by value, to the cent, whatever the order of the lines", async () => {
    const lines = [line("a", 1000), line("b", 1000), line("c", 1000), line("g", 5000, 1, { kind: "gift_card" })];
    const [first, second] = await send(
      order({ id: "D-1", more: { lines, discount_total: usd(1000) } }),
      order({ id: "D-2", more: { lines: lines.toReversed(), discount_total: usd(1000) } }),
      fulfilled("D-1", { fulfillment_id: "D-1", lines: ships(["a", 1], ["b", 1], ["c", 1]) }),
      fulfilled("D-2", { fulfillment_id: "D-2", lines: ships(["c", 1], ["b", 1], ["a", 1]) }),
    );
    for (const warned of [first, second]) {
      expect(warned?.["warnings"]).toMatchObject([
        {
          pointer: expect.stringMatching(/^\/[01]\/payload\/discount_total$/),
          detail: expect.stringContaining("10.00 USD"),
        },
      ]);
    }
    expect([await balance("D-1"), await balance("D-2")]).toEqual([20, 20]);
    // 10.00 over three equal lines: 3.34 from the line whose id is first, 3.33 from the others
    const shown = await service.client.post("/api/storefront/orders/preview", {
      order_id: "D-1",
      shop_currency: "USD",
      lines,
      discount_total: usd(1000),
    });
    const discounts = shown.body.data.lines.map(({ discount }: { discount: number }) => discount);
    expect(discounts).toEqual([334, 333, 333, 0]);
  });

  test("discounts that the lines carry are not counted twice, nor told of", async () => {
    const discounts = [{ code: "TEN", amount: usd(400) }];
    const lines = [line("a", 1000, 1, { discounts }), line("b", 1000)];
    const [carried, partly] = await send(
      order({ id: "D-3", more: { lines, discount_total: usd(400) } }),
      order({ id: "D-4", more: { lines, discount_total: usd(1000) } }),
      ...["D-3", "D-4"].map((id) => fulfilled(id, { fulfillment_id: id, lines: ships(["a", 1], ["b", 1]) })),
    );
    expect(carried).not.toHaveProperty("warnings");
    expect(partly).toHaveProperty("warnings");
    expect([await balance("D-3"), await balance("D-4")]).toEqual([16, 10]);
  });

  test("one that the total shows was taken from the shipping lowers nothing", async () => {
    const totals = { discount_total: usd(500), shipping_total: usd(0), total: usd(1000) };
    await send(
      order({ id: "D-5", more: { lines: [line("a", 1000)], ...totals } }),
      fulfilled("D-5", { fulfillment_id: "D-5", lines: ships(["a", 1]) }),
    );
    expect(await balance("D-5")).toBe(10);
  });

  test("stated later than the lines it is taken off what was awarded; a refund of all takes the rest", async () => {
    await send(
      order({ id: "D-6", more: { lines: [line("a", 1000), line("b", 3000)] } }),
      fulfilled("D-6", { fulfillment_id: "D-6", lines: ships(["a", 1], ["b", 1]) }),
    );
    expect(await balance("D-6")).toBe(40);
    await send(
      order({ id: "D-6", at: "2026-03-03T10:00:00Z", more: { discount_total: usd(1000) }, type: "OrderUpdated" }),
    );
    expect(await balance("D-6")).toBe(30);
    const refund = {
      refund_id: "D-6",
      lines: [{ line_id: "b", quantity: 1, subtotal: usd(2250) }],
      money_moved: usd(2250),
    };
    await send({ type: "OrderRefunded", payload: { order_id: "D-6", refund } });
    expect(await balance("D-6")).toBe(7);
  });
});

describe("fractions", () => {
  test("1.5 kg at 10.01, and 10,000 pieces at 0.1234, round once a line, half up", async () => {
    const lines = [line("kg", 1001, 1.5), line("pcs", "12.34", 10_000), line("half", 1, 0.5)];
    await send(
      order({ id: "F-1", more: { lines } }),
      fulfilled("F-1", { fulfillment_id: "F-1", lines: ships(["kg", 1.5], ["pcs", 10_000], ["half", 0.5]) }),
    );
    expect(await balance("F-1")).toBe(1249); // 15.02 + 1,234.00 + 0.01
    const shown = await service.client.post("/api/storefront/orders/preview", { shop_currency: "USD", lines });
    expect(
      shown.body.data.lines.map(({ gross, quantity }: { gross: number; quantity: number }) => [gross, quantity]),
    ).toEqual([
      [1502, 1.5],
      [123400, 10_000],
      [1, 0.5],
    ]);
  });

  test("shipped in parts of 0.1 and refunded in parts it adds up exactly", async () => {
    await send(order({ id: "F-2", more: { lines: [line("kg", 10_000, 0.3)] } }));
    for (const n of [1, 2, 3]) await send(fulfilled("F-2", { fulfillment_id: `F-2-${n}`, lines: ships(["kg", 0.1]) }));
    expect(await allotments("F-2")).toEqual([10, 10, 10]);
    const refund = (n: number) => ({
      refund_id: `F-2-${n}`,
      lines: [{ line_id: "kg", quantity: 0.1, subtotal: usd(1000), restock: "return" }],
      money_moved: usd(1000),
    });
    for (const n of [1, 2]) await send({ type: "OrderRefunded", payload: { order_id: "F-2", refund: refund(n) } });
    expect(await balance("F-2")).toBe(10);
    await send({ type: "OrderRefunded", payload: { order_id: "F-2", refund: refund(3) } });
    expect(await balance("F-2")).toBe(0);
  });

  test("more than 6 places, exponents and texts are refused by name", async () => {
    for (const quantity of [0.1234567, "1.5", -0.5]) {
      const answer = await service.client.post(
        "/intake/events",
        order({ id: "F-3", more: { lines: [{ ...line("a", 1), quantity }] } }),
      );
      expect(answer.body.errors[0].source.pointer).toBe("/payload/lines/0/quantity");
    }
    const answer = await service.client.post(
      "/intake/events",
      order({ id: "F-3", more: { lines: [line("a", "0.1234567")] } }),
    );
    expect(answer.body.errors[0].source.pointer).toBe("/payload/lines/0/unit_price/minor");
  });
});

describe("fulfillment_status fulfilled alone", () => {
  const lines = [line("a", 1000, 2), line("b", 500)];

  test("fulfils what is open; real fulfilments told later change nothing", async () => {
    await send(order({ id: "S-1", more: { lines, fulfillment_status: "fulfilled" } }));
    expect(await allotments("S-1")).toEqual([20, 5]);
    await send(fulfilled("S-1", { fulfillment_id: "S-1-1", lines: ships(["a", 1]) }));
    await send(fulfilled("S-1", { fulfillment_id: "S-1-2", lines: ships(["a", 1], ["b", 1]) }));
    expect(await allotments("S-1")).toEqual([20, 5]);
  });

  test("after a part was shipped by name it fulfils the rest", async () => {
    await send(
      order({ id: "S-2", more: { lines } }),
      fulfilled("S-2", { fulfillment_id: "S-2-1", lines: ships(["a", 1]) }),
    );
    expect(await balance("S-2")).toBe(10);
    const status = { fulfillment_status: "fulfilled" };
    await send(order({ id: "S-2", at: "2026-03-04T10:00:00Z", type: "OrderUpdated", more: status }));
    expect(await balance("S-2")).toBe(25);
  });

  test("taken back by a later status, and by a later cancellation of what was named", async () => {
    const status = { fulfillment_status: "fulfilled" };
    await send(order({ id: "S-3", more: { lines, ...status } }));
    const back = { fulfillment_status: "unfulfilled" };
    await send(order({ id: "S-3", at: "2026-03-05T10:00:00Z", type: "OrderUpdated", more: back }));
    expect(await balance("S-3")).toBe(0);

    await send(
      order({ id: "S-4", more: { lines, ...status } }),
      fulfilled("S-4", { fulfillment_id: "S-4-1", lines: ships(["a", 2]) }),
      fulfilled("S-4", { fulfillment_id: "S-4-2", lines: ships(["b", 1]) }),
    );
    expect(await balance("S-4")).toBe(25);
    const gone = { fulfillment_id: "S-4-1", status: "cancelled", lines: ships(["a", 2]) };
    await send(fulfilled("S-4", gone, "2026-03-06T10:00:00Z"));
    expect(await balance("S-4")).toBe(5);
  });

  test("the order of the events does not matter", async () => {
    const status = order({
      id: "S-5",
      at: "2026-03-04T10:00:00Z",
      type: "OrderUpdated",
      more: { fulfillment_status: "fulfilled" },
    });
    const named = fulfilled("S-5", { fulfillment_id: "S-5-1", lines: ships(["a", 1]) });
    await send(order({ id: "S-5", more: { lines } }), status, named);
    const again = JSON.parse(JSON.stringify([named, status]).replaceAll("S-5", "S-6"));
    await send(order({ id: "S-6", more: { lines } }), ...again);
    expect([await balance("S-5"), await balance("S-6")]).toEqual([25, 25]);
  });
});

describe("a line that needs no shipping", () => {
  test("earns when the order is paid; a fulfilment of it adds nothing", async () => {
    const lines = [line("book", 700, 1, { requires_shipping: false }), line("bowl", 1000)];
    await send(order({ id: "N-1", more: { lines } }));
    expect(await allotments("N-1")).toEqual([7]);
    await send(fulfilled("N-1", { fulfillment_id: "N-1", lines: ships(["book", 1], ["bowl", 1]) }));
    expect(await allotments("N-1")).toEqual([7, 10]);
    const gone = { fulfillment_id: "N-1", status: "cancelled", lines: ships(["book", 1], ["bowl", 1]) };
    await send(fulfilled("N-1", gone, "2026-03-06T10:00:00Z"));
    expect(await balance("N-1")).toBe(7);
  });

  test("not before it is paid; one that was shipped before it said so is not paid twice", async () => {
    const lines = [line("book", 700)];
    await send(order({ id: "N-2", type: "OrderPlaced", more: { lines } }));
    await send(fulfilled("N-2", { fulfillment_id: "N-2", lines: ships(["book", 1]) }));
    expect(await balance("N-2")).toBe(0);
    await send(order({ id: "N-2", more: {} }));
    expect(await balance("N-2")).toBe(7);
    const digital = [line("book", 700, 1, { requires_shipping: false })];
    await send(order({ id: "N-2", at: "2026-03-05T10:00:00Z", type: "OrderUpdated", more: { lines: digital } }));
    expect(await balance("N-2")).toBe(7);
  });

  test("counts for the tier when the rest of the order does", async () => {
    const lines = [line("book", 700, 1, { requires_shipping: false })];
    await send(order({ id: "N-3", more: { lines } }));
    const spend = await service.deps.db.query("select spend_minor from order_spend where order_id = 'N-3'");
    expect(spend).toHaveLength(1);
  });
});
