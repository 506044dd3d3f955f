import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { yen } from "../support/explain.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  const rules = [
    { name: "Bronze", currency_spent_requirement: 0, point_value: 1 },
    { name: "Gold", currency_spent_requirement: 100_000, point_value: 3 },
  ];
  shop = await startDashboard({
    worker: false,
    now: "2026-03-10T03:00:00Z",
    program: { store: { name: "花屋 Hana", currency: "JPY", time_zone: "Asia/Tokyo" }, tiers: { rules } },
  });
  const { deps, client } = shop.service;
  await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId: "71", name: "田中 美咲" }));
  const events = [4, 5, 6].map((day) => ({
    type: "OrderPaid",
    payload: {
      ...{
        order_id: `50${day}`,
        customer_id: "71",
        processed_at: `2026-02-2${day + 2}T05:00:00Z`,
        shop_currency: "JPY",
      },
      lines: [{ line_id: "a", title: "Tea", quantity: 1, unit_price: yen(day * 1_000) }],
    },
  }));
  expect((await client.post("/intake/events", events)).status).toBe(202);
  await processAllReceipts(deps);
});
afterAll(() => shop?.stop());

test("a campaign shows what it would give, in its panel and in the review", async () => {
  const page = await shop.open({ path: "/program/campaigns" });
  await page.getByRole("button", { name: "Add a campaign" }).click();
  const panel = page.getByRole("dialog", { name: "New campaign" });
  await panel.getByText(/^Replayed: 3 orders from/).waitFor();
  await panel.getByText("+150, worth ¥150 as coupons").waitFor();
  await panel.getByRole("row", { name: "Bronze 1 150 300" }).waitFor();
  await shop.look(page, "program-forecast");
  await page.route("**/program/forecast", async (route) => {
    await panel.locator("[aria-busy=true]", { hasText: "+150, worth ¥150 as coupons" }).waitFor();
    await route.continue();
  });
  await panel.getByLabel("Multiply by").fill("3");
  await panel.getByText("Replaying the orders of comparable days…").waitFor();
  await panel.getByText("+300, worth ¥300 as coupons").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("heading", { name: "What “New campaign” would give" }).waitFor();
  await page.getByText("+300, worth ¥300 as coupons").waitFor();
  await shop.look(page, "program-forecast-review");
});

test("the forecast in Japanese on a telephone", async () => {
  const page = await shop.open({ path: "/program/bonuses", language: "ja", width: 360 });
  const below = (text: string) => page.getByText(text).locator("xpath=..").getByRole("button");
  await below("ボーナス対象のコレクションはありません").getByText("対象を追加").waitFor();
  await shop.look(page, "program-bonuses-none-ja-360");
  await shop.go(page, "/program/campaigns");
  await shop.look(page, "program-campaigns-none-ja-360");
  await below("キャンペーンはまだありません").getByText("キャンペーンを追加").click();
  await page.getByText(/注文3件を/).waitFor();
  await shop.look(page, "program-forecast-ja-360");
});

test("a draft outlives a reload, is offered to whoever left it, and is gone once it is applied", async () => {
  const page = await shop.open({ path: "/program/earning" });
  await page.getByLabel("Per amount").fill("50");
  await page.getByText("1 change is not applied yet").waitFor();
  await page.reload();
  const notice = page.getByRole("alert").filter({ hasText: "and have not applied it" });
  await notice.getByRole("button", { name: "Continue with these changes" }).waitFor();
  expect(await page.getByLabel("Per amount").inputValue()).toBe("100");
  await shop.look(page, "program-draft-left");
  await notice.getByRole("button", { name: "Continue with these changes" }).click();
  expect(await page.getByLabel("Per amount").inputValue()).toBe("50");
  await page.getByRole("link", { name: "Home" }).click(); // nothing is lost: nothing is asked
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.getByRole("link", { name: "Program" }).click();
  await notice.getByRole("button", { name: "Continue with these changes" }).click();
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await page.getByText("Version 3 by manager").first().waitFor();
  await page.reload();
  await page.getByText("Version 3 by manager").first().waitFor();
  expect(await notice.count()).toBe(0);
});

test("a left draft in Japanese on a telephone is discarded", async () => {
  const page = await shop.open({ path: "/program/coupons", language: "ja", width: 360 });
  await page.getByRole("spinbutton").or(page.getByRole("textbox")).first().fill("7");
  await page.getByText("1件の変更").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "破棄する" }).waitFor();
  await shop.look(page, "program-draft-left-ja-360");
  await page.getByRole("button", { name: "破棄する" }).click();
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("button", { name: "破棄する" }).count()).toBe(0);
});

test("a draft that is continued where the browser has no more room stays stored", async () => {
  const page = await shop.open({ path: "/program/earning" });
  await page.getByLabel("Per amount").fill("30");
  await page.getByText("1 change is not applied yet").waitFor();
  await page.reload();
  const restore = page.getByRole("button", { name: "Continue with these changes" });
  await restore.waitFor();
  await page.evaluate("Storage.prototype.setItem = () => { throw new Error('no room'); }");
  await restore.click();
  await page.getByText("1 change is not applied yet").waitFor();
  const crashed = await page.context().newPage(); // as after a crash of the first one
  await crashed.goto(page.url());
  await crashed.getByRole("button", { name: "Continue with these changes" }).click();
  expect(await crashed.getByLabel("Per amount").inputValue()).toBe("30");
});
