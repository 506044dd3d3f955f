import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { yen } from "../support/explain.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

async function send(type: string, payload: object): Promise<void> {
  const { client, clock, deps } = shop.service;
  clock.advance({ minutes: 1 });
  const event = { type, occurred_at: clock.now().toString(), payload };
  expect((await client.post("/intake/events", [event])).status).toBe(202);
  await processAllReceipts(deps);
}

beforeAll(async () => {
  shop = await startDashboard({
    worker: false,
    now: "2026-03-20T01:00:00Z",
    program: {
      store: { name: "茶葉店", currency: "JPY", time_zone: "Asia/Tokyo" },
      earning: { excluded_product_tags: ["sale"] },
      refunds: { shortfall: "refuse" },
    },
  });
  const { deps, client } = shop.service;
  await deps.db.tx((tx) =>
    upsertCustomer(tx, deps, { storefrontId: "71", name: "田中 美咲", email: "misaki@tea.example" }),
  );
  await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId: "72", name: "Ken Sato" }));
  const common = { customer_id: "71", processed_at: "2026-03-20T01:00:30Z", shop_currency: "JPY" };
  const lines = [
    { line_id: "a", product_id: "P1", title: "玉露 100g", quantity: 2, unit_price: yen(2_400) },
    {
      line_id: "b",
      product_id: "P2",
      title: "Teapot",
      quantity: 1,
      unit_price: yen(6_000),
      discounts: [{ amount: yen(500) }],
    },
    { line_id: "c", title: "Gift card", quantity: 1, unit_price: yen(3_000), kind: "gift_card" },
  ];
  const totals = { subtotal: yen(13_300), total: yen(13_800), shipping_total: yen(500), discount_total: yen(500) };
  await send("OrderPaid", { ...common, ...totals, order_id: "5003", order_name: "#1003", lines });
  const all = { a: 2, b: 1, c: 1 };
  const shipped = Object.entries(all).map(([line_id, quantity]) => ({ line_id, quantity }));
  await send("OrderFulfilled", { order_id: "5003", fulfillment: { fulfillment_id: "F1", lines: shipped } });
  await send("OrderPlaced", {
    ...{ ...common, customer_id: null, email: "guest@tea.example" },
    ...{ order_id: "5004", order_name: "#1004", total: yen(700) },
    lines: [{ line_id: "a", title: "Sencha", quantity: 1, unit_price: yen(700) }],
  });
  const usd = (minor: number) => ({ minor, currency: "USD" });
  await send("OrderPaid", {
    ...{ ...common, shop_currency: "USD", order_id: "5005", order_name: "#1005", total: usd(1_250) },
    lines: [{ line_id: "a", title: "Hojicha", quantity: 1, unit_price: usd(1_250) }],
  });
  await send("OrderPaid", {
    ...{ ...common, customer_id: "72", order_id: "5006", order_name: "#1006", total: yen(3_000) },
    lines: [{ line_id: "a", title: "Matcha", quantity: 1, unit_price: yen(3_000) }],
    fulfillments: [{ fulfillment_id: "F6", lines: [{ line_id: "a", quantity: 1 }] }],
  });
  await client.post("/api/storefront/point_allotments", { customer_id: "72", point_value: -20 });
  await send("OrderCancelled", { order_id: "5006", cancelled_at: "2026-03-20T01:04:00Z" });
});
afterAll(() => shop?.stop());

test("an order is found, shows why it earns, and is recomputed after its difference was shown", async () => {
  const { client } = shop.service;
  const page = await shop.open({ path: "/orders", role: "support" });
  await expect.poll(() => page.locator("tbody tr").count()).toBe(4);
  await shop.look(page, "orders");
  await page.getByRole("searchbox").fill("1003");
  await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
  expect(new URL(page.url()).search).toBe("?q=1003");
  await page
    .getByRole("row")
    .nth(1)
    .getByRole("link")
    .first()
    .click({ position: { x: 24, y: 12 } });
  await page.getByRole("heading", { name: "Order #1003" }).waitFor();
  await page.getByText("Earns nothing: a gift card, tip or fee").waitFor();
  await page.getByText("Shipment: 玉露 100g × 2 · Teapot · Gift card (shipped)").waitFor();
  await page.getByRole("cell", { name: "Shipment: Teapot" }).waitFor();
  await page.getByText("+103 points given").waitFor();
  await shop.look(page, "order");
  await page.route("**/api/orders/*", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const bonuses = [{ collection_id: "teas", rate: { point_value: 3, currency_value: 100 } }]; // of a node of the version before
    await route.fulfill({ response, json: { data: { ...data, rules: { ...data.rules, bonuses } } } });
  });
  await page.reload();
  await page.getByText(/teas: 3/).waitFor();
  await page.unroute("**/api/orders/*");
  await page.reload();
  await page.getByText("+103 points given").waitFor();

  await client.put("/api/storefront/products/P2", { tags: ["sale"] });
  await page.getByRole("button", { name: "Recompute" }).click();
  await page.getByText("Product P2: unknown → sale").waitFor();
  await shop.look(page, "order-recompute");
  await page.getByRole("button", { name: "Post the difference" }).click();
  await page.getByText("The order was recomputed").waitFor();
  await page.getByText("Earns nothing: the product's tag is excluded").waitFor();
  await page.getByRole("button", { name: "Recompute" }).click();
  await page.getByText("Nothing to change").waitFor();
  await page.getByRole("button", { name: "Close" }).last().click();
  await page
    .getByRole("region", { name: "Points posted" })
    .getByRole("link")
    .first()
    .click({ position: { x: 24, y: 12 } });
  await page.getByRole("dialog").getByText("Why", { exact: true }).waitFor();
  await page.getByText("It followed from an event of your scripts.").waitFor();
});

test("an order that is recomputed late closes no dialog that was opened since", async () => {
  await shop.service.client.put("/api/storefront/products/P1", { tags: ["sale"] });
  const page = await shop.open({ path: "/orders/5003", role: "support" });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/recompute", async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Recompute" }).click();
  await page.getByRole("button", { name: "Post the difference" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Recompute" }).click();
  await page.getByRole("button", { name: "Post the difference" }).waitFor();
  answer();
  await page.getByText("The order was recomputed").waitFor();
  await shop.settle(page);
  expect(await page.getByRole("dialog").count()).toBe(1);
});

test("orders in Japanese, and what the staff has to do is done", async () => {
  const page = await shop.open({ path: "/orders", role: "support", language: "ja" });
  await shop.look(page, "orders-ja");
  await shop.go(page, "/orders/5006");
  await page.getByRole("button", { name: "対応済みにする" }).waitFor();
  await page.getByText("注文は 2026/03/20 10:04 にキャンセルされました。").waitFor();
  await shop.look(page, "order-task-ja");
  await page.getByRole("button", { name: "対応済みにする" }).click();
  await page.getByText(/が対応済み/).waitFor();
});

test.each(["en", "ja"] as const)("all filters stand in one row at 1280 px, in use too (%s)", async (language) => {
  const page = await shop.open({ path: "/orders?state=no_program", language });
  const bar = page.getByRole("search", { name: language === "en" ? "Filters" : "絞り込み" });
  const controls = await bar.locator("> *:visible").all();
  const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
  expect(boxes).toHaveLength(6);
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
});

test("on a narrow dark screen, an order that waits, and one that is not there", async () => {
  const page = await shop.open({ path: "/orders/5004", role: "viewer", width: 360, colorScheme: "dark" });
  await page.getByText("Waits for guest@tea.example").waitFor();
  await page.getByText("It waits for a customer with the address guest@tea.example.").waitFor();
  expect(await page.getByRole("button", { name: "Recompute" }).count()).toBe(0);
  await shop.look(page, "order-narrow-dark");
  await shop.go(page, "/orders/5005");
  await page.getByText("It was paid in USD; the program gives points for JPY only.").waitFor();
  shop.expectStatus(page, 404);
  await shop.go(page, "/orders/none");
  await page.getByText("This does not exist").waitFor();
});
