import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { applyOrderEvent } from "../../src/orders/apply-order-event.ts";
import { aggregateLiabilityAll } from "../support/aggregate-liability-all.ts";
import { YEN_STORE } from "../support/order-flow.ts";
import { sale } from "../support/order-sale.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false, now: "2026-03-20T01:00:00Z", program: YEN_STORE });
  const { deps, client, clock } = shop.service;
  await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId: "71", name: "田中 美咲" }));
  for (const event of sale("5003", "71", 1_000_000)) await deps.db.tx((tx) => applyOrderEvent(tx, deps, event));
  await client.post("/api/storefront/point_allotments", { customer_id: "71", point_value: 300 });
  clock.advance({ hours: 24 * 20 });
  await client.post("/api/storefront/point_allotments", { customer_id: "71", point_value: -4_000 });
  await aggregateLiabilityAll(shop.service);
});
afterAll(() => shop?.stop());

test("a manager sets an estimate, follows a figure to its rows, and closes the month", async () => {
  const page = await shop.open({ path: "/liability?month=2026-03" });
  await page.getByText("No estimate yet").waitFor();
  await page.getByLabel("Expected redemption in percent").fill("９７");
  await page.getByLabel("Stand-alone price of a point").fill("0");
  shop.expectStatus(page, 422);
  await page.getByRole("button", { name: "Set estimate" }).click();
  await page.getByText(/Expected an amount above 0/).waitFor();
  await page.getByLabel("Stand-alone price of a point").fill("０．989011");
  await page.getByRole("button", { name: "Set estimate" }).click();
  const revenue = page.getByRole("region", { name: "Deferred revenue" });
  await revenue.getByRole("cell", { name: "¥9,793" }).first().waitFor();
  await page.getByText("Customers paid ¥1,000,000 for the goods").waitFor();
  await shop.look(page, "liability");
  await page.getByRole("link", { name: "Allotments with which these points were issued" }).click();
  const paid = page.getByRole("dialog").getByRole("cell", { name: "¥1,000,000" });
  await paid.waitFor();
  await shop.look(page, "liability-sales");
  const box = await paid.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByLabel("Month", { exact: true }).selectOption("2026-04");
  await page.getByRole("button", { name: "Close month" }).waitFor({ state: "detached" }); // the month before stays until this one is there
  const origins = page.getByRole("table", { name: "Points by origin" });
  await origins.getByRole("row", { name: /^Sale/ }).getByRole("link").click();
  const panel = page.getByRole("dialog");
  await panel
    .getByRole("row", { name: /田中 美咲/ })
    .first()
    .waitFor();
  expect(await panel.getByRole("link", { name: "田中 美咲" }).first().getAttribute("href")).toMatch(/\/customers\/71$/);
  await shop.look(page, "liability-movements");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });

  await page.getByLabel("Month", { exact: true }).selectOption("2026-03");
  await page.getByRole("button", { name: "Close month" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close month" }).click();
  await page.getByText(/^Closed by manager/).waitFor();
  expect(await page.getByLabel("From").inputValue(), "the first month whose estimate can still be set").toBe("2026-04");
  expect(await page.getByRole("button", { name: "Close month" }).count()).toBe(0);
});

test("a viewer reads it on a telephone, in Japanese, and changes nothing", async () => {
  const page = await shop.open({ role: "viewer", language: "ja", path: "/liability", width: 360 });
  await page.getByRole("heading", { name: "発行月別のポイント" }).waitFor();
  expect(await page.getByRole("button", { name: "見積りを設定" }).count()).toBe(0);
  await shop.look(page, "liability-narrow-ja");
});

test("another month is not shown before a question where an estimate was typed and not set", async () => {
  const page = await shop.open({ path: "/liability" });
  const month = page.getByLabel("Month", { exact: true });
  const redemption = page.getByLabel("Expected redemption in percent");
  await redemption.fill("85.5");
  await month.selectOption("2026-03");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect([await month.inputValue(), await redemption.inputValue()]).toEqual(["2026-04", "85.5"]);
  const origins = page.getByRole("table", { name: "Points by origin" });
  await origins.getByRole("row", { name: /^Sale/ }).getByRole("link").click();
  await page
    .getByRole("dialog")
    .getByRole("row", { name: /田中 美咲/ })
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await redemption.inputValue()).toBe("85.5");
  await month.selectOption("2026-03");
  await question.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(/month=2026-03/);
});

test("the movements behind a figure name the customer and the order", async () => {
  const page = await shop.open({ path: "/liability/issued?month=2026-03&origin=sale" });
  const row = page
    .getByRole("dialog")
    .getByRole("row", { name: /田中 美咲/ })
    .first();
  await row.getByRole("link", { name: /5003/ }).waitFor();
  const { body } = await (await shop.as("viewer")).get("/liability/movements?month=2026-03&kind=issued&origin=sale");
  expect(body.data[0]).toMatchObject({
    customer: { id: "71", name: "田中 美咲" },
    order_id: "5003",
    points: expect.any(Number),
  });
});
