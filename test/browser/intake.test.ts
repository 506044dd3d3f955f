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
  await page.getByText("Visible to support and managers only").waitFor();
  await page.getByRole("dialog").getByRole("link", { name: "山田花子" }).waitFor();
  expect(await page.getByText("hanako@example.com").count()).toBe(0);
  await shop.look(page, "intake-viewer");
});

test("what was taken with warnings is marked, found, and told; a backlog is shown with its rate", async () => {
  const lines = [{ line_id: "1", quantity: 1, unit_price: { minor: 1000, currency: "JPY" } }];
  const payload = { order_id: "A-1009", lines, subtotal: { minor: 900, currency: "JPY" } };
  await shop.service.client.post("/intake/events", { type: "OrderPlaced", payload }, { prefer: "wait=10" });
  const { db } = shop.service.deps;
  await db.execute(
    `insert into receipt (key, uid, adapter, topic, delivery_key, subject, state, due_at, received_at, body)
    select sha256(n::text::bytea), ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'neutral', 'OrderDeleted',
      'old ' || n, 'order/' || n, 'new', now() + interval '30 minutes', now(), '{}'
    from generate_series(1, 12345) as n`,
  );
  await db.execute("insert into intake_pace values (date_trunc('minute', clock_timestamp()), gen_random_uuid(), 640)");
  const page = await shop.open({ role: "viewer", path: "/intake" });
  await page.getByText("Intake backlog").waitFor();
  await page.getByText("12,345").first().waitFor();
  await page.getByRole("combobox", { name: "Warnings" }).selectOption("yes");
  await page
    .getByRole("row", { name: /A-1009/ })
    .getByRole("link")
    .press("Enter");
  await page.getByText("subtotal is 900 JPY").waitFor();
  await shop.look(page, "intake-warnings-en");
  const path = page.url().slice(`${shop.service.url}/admin`.length);
  const japanese = await shop.open({ role: "viewer", language: "ja", path });
  await japanese.getByText("小計は900 JPYですが、値引き後の商品の合計は1000 JPYです").waitFor();
  await shop.look(japanese, "intake-warnings-ja");
  const home = await shop.open({ role: "viewer", language: "ja", path: "/intake", width: 390 });
  await home.getByText("受信データの処理待ち").waitFor();
  await shop.look(home, "intake-backlog-ja");
});
