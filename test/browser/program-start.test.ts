import { afterAll, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { beginReviews } from "../../src/orders/review/program-review-queries.ts";
import { reviewOrders } from "../../src/orders/review/review-orders.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
const PATIENCE_MS = 300_000;

/** Ten orders of a hundred dollars each, a day apart, and one whose customer is unknown. */
beforeAll(async () => {
  shop = await startDashboard({ worker: false, now: "2026-03-20T12:00:00Z" });
  const { client, deps } = shop.service;
  const events = Array.from({ length: 11 }, (_, n) => {
    const at = `2026-03-${String(n + 5).padStart(2, "0")}T12:00:00Z`;
    const buyer = n === 10 ? { customer_id: null, email: "nobody@example.com" } : { customer_id: `c${n}` };
    const lines = [{ line_id: `l${n}`, title: "Tea", quantity: 1, unit_price: { minor: 10_000, currency: "USD" } }];
    const units = [{ line_id: `l${n}`, quantity: 1 }];
    const fulfillments = [{ fulfillment_id: `f${n}`, created_at: at, lines: units }];
    const payload = { order_id: `o${n}`, ...buyer, shop_currency: "USD", processed_at: at, lines, fulfillments };
    return { type: "OrderPaid", delivery_key: `e${n}`, occurred_at: at, payload };
  });
  expect((await client.post("/intake/events", events)).status).toBe(202);
  await processAllReceipts(deps);
});
afterAll(() => shop?.stop());

test("orders wait for the first program, which is applied with its effect in view", {
  timeout: PATIENCE_MS,
}, async () => {
  const page = await shop.open({ path: "/" });
  await shop.look(page, "start-home-en");
  await page.getByRole("link", { name: "Orders waiting for a program in their currency" }).click();
  await page.getByRole("row", { name: /o9.*No program yet/ }).waitFor();
  await shop.look(page, "start-orders-en");

  await shop.go(page, "/program");
  await page.getByLabel("Time zone", { exact: true }).selectOption("America/New_York");
  await page.getByRole("link", { name: "Tiers" }).click();
  await page.getByText("Next check: 1 Apr 2026, 00:00").waitFor(); // that of the present program, in the store's own zone
  await shop.go(page, "/program");
  await page.getByRole("button", { name: "Reset to the current value: Asia/Tokyo" }).click();
  await page.getByLabel("Currency", { exact: true }).selectOption("USD");
  await page.getByRole("button", { name: "Review changes" }).click();
  const past = page.getByRole("region", { name: "Past orders" });
  await past.getByText("This is the first program of the store").waitFor();
  await past.getByText("+1,000").waitFor();
  await shop.look(page, "start-review-en");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("dialog").getByText("it is the first program that is applied").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await page.getByText("Version 2 is now in effect.").waitFor();
  await beginReviews(shop.service.deps.db, shop.service.clock.now()); // as a worker does, before it has done any
  await page.goto(`${shop.service.url}/admin/`);
  await page.getByRole("link", { name: /Orders still to be recalculated/ }).waitFor();
  await shop.look(page, "start-home-judging-en");
  await reviewOrders(shop.service.deps);
  expect(await points("c0")).toBe(100);
  await page.close();
});

test("a later one may be given a start in the past, in Japanese", { timeout: PATIENCE_MS }, async () => {
  const page = await shop.open({ path: "/program/earning", language: "ja" });
  await page.getByLabel("ポイント", { exact: true }).first().fill("3");
  await page.getByRole("button", { name: "変更内容の確認" }).click();
  const past = page.getByRole("region", { name: "過去の注文" });
  await past.getByLabel("適用する注文の開始日時").fill("2026-03-13T21:00");
  await past.getByText("+400").waitFor(); // the orders of the 13th and 14th, 200 more each
  await shop.look(page, "start-past-ja");
  await past.getByLabel("適用する注文の開始日時").fill("2026-04-13T21:00");
  shop.expectStatus(page, 422);
  await past.getByText("現在より前の日時を指定してください").waitFor();
  await past.getByLabel("適用する注文の開始日時").fill("2026-03-13T21:00");
  await past.getByText("+400").waitFor();
  await page.getByRole("button", { name: "適用する", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "適用する" }).click();
  await page.getByRole("columnheader", { name: "対象となる注文" }).waitFor();
  await shop.look(page, "start-versions-ja");
  await reviewOrders(shop.service.deps);
  expect([await points("c7"), await points("c8"), await points("c9")]).toEqual([100, 300, 300]);
  await shop.go(page, "/");
  await page.getByText("要確認").waitFor();
  await shop.look(page, "start-home-ja");
  await page.close();
});

async function points(customer: string): Promise<number> {
  return (await shop.service.client.get(`/api/storefront/point_balances/${customer}`)).body.data.point_balance;
}
