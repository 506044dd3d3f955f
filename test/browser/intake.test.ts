import { afterAll, beforeAll, expect, test } from "vitest";
import { waitUntil } from "../support/wait-until.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

const shipment = (id: string) => ({
  type: "OrderFulfilled",
  delivery_key: `shipment-${id}`,
  payload: { order_id: id, fulfillment: { fulfillment_id: `S-${id}`, lines: [] } },
});

beforeAll(async () => {
  shop = await startDashboard();
  const customer = { customer_id: "1001", email: "hanako@example.com", name: "山田花子" };
  const events = [shipment("A-1001"), shipment("A-1002"), { type: "CustomerUpserted", payload: customer }];
  await shop.service.client.post("/intake/events", events, { prefer: "wait=10" });
  const { db } = shop.service.deps;
  await waitUntil(async () => (await db.query("select from receipt where state = 'new'")).length === 0);
  await db.execute("update receipt set state = 'failed', attempts = 5 where subject = 'order/A-1002'");
});
afterAll(() => shop?.stop());

test("support looks into what failed and has it processed again", async () => {
  const page = await shop.open({ role: "support", language: "ja", path: "/intake" });
  await shop.look(page, "intake-ja");
  await page.getByRole("combobox", { name: "状態" }).selectOption("failed");
  await page
    .getByRole("row", { name: /A-1002/ })
    .getByRole("link")
    .press("Enter");
  await page.getByText("shipment-A-1002").first().waitFor();
  await shop.look(page, "intake-receipt-ja");
  await page.getByRole("button", { name: "もう一度処理する" }).click();
  await page.getByText("処理をやり直しています。").waitFor();
  const { db } = shop.service.deps;
  await waitUntil(async () => (await db.query("select from receipt where state = 'waiting'")).length === 2);
});

test("a viewer sees that something came, and not what it said", async () => {
  const page = await shop.open({ role: "viewer", path: "/intake?subject=1001" });
  await page
    .getByRole("row", { name: /Customer 1001/ })
    .getByRole("link")
    .press("Enter");
  await page.getByText("Shown to support and managers").waitFor();
  await page.getByRole("dialog").getByRole("link", { name: "山田花子" }).waitFor();
  expect(await page.getByText("hanako@example.com").count()).toBe(0);
  await shop.look(page, "intake-viewer");
});
