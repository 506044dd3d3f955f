import { afterAll, beforeAll, expect, test } from "vitest";
import { aggregateAll } from "../support/aggregate-all.ts";
import { buildCampaignStory, CAMPAIGN_PROGRAM } from "../support/campaign-story.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ now: "2026-03-01T00:00:00Z", worker: false, program: CAMPAIGN_PROGRAM });
  await buildCampaignStory(shop.service);
  await aggregateAll(shop.service.deps);
});
afterAll(() => shop?.stop());

test("a manager opens what the double weekend brought", async () => {
  const page = await shop.open({ role: "manager", path: "/results" });
  await page
    .getByRole("row", { name: /Double weekend/ })
    .getByText("+500.0%")
    .waitFor();
  await shop.look(page, "results-en");
  await page.getByLabel("Kind").selectOption("campaign");
  await page.getByRole("link", { name: /Double weekend/ }).click();
  const panel = page.getByRole("dialog");
  await panel.getByRole("row", { name: /Gold 1 1 ¥3,000 180 90/ }).waitFor();
  await panel.getByRole("row", { name: /Revenue ¥12,000 ¥2,000 \+500.0%/ }).waitFor();
  await shop.look(page, "results-panel-en");
  await panel.getByRole("button", { name: "Close" }).click();
  await panel.waitFor({ state: "hidden" });
  expect(new URL(page.url()).search).toBe("?kind=campaign");
  await page.close();
});

test("in Japanese on a phone", async () => {
  const page = await shop.open({ role: "viewer", language: "ja", path: "/results", width: 360 });
  await page.getByRole("row", { name: /Double weekend/ }).waitFor();
  await shop.look(page, "results-ja-phone");
  expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
  await page.close();
});

test.each([
  ["en", 1280, "Lifetime spend", "3 orders"],
  ["en", 360, "Lifetime spend", "3 orders"],
  ["ja", 1280, "累計購入額", "注文3件"],
  ["ja", 360, "累計購入額", "注文3件"],
] as const)("a customer's page has the lifetime spend: %s, %i px", async (language, width, label, orders) => {
  const page = await shop.open({ role: "viewer", language, path: "/customers/1", width });
  const part = page.getByRole("region", { name: label });
  await part.getByText("7,000").waitFor();
  await part.getByText(orders).waitFor();
  await shop.look(page, `customer-spend-${language}-${width}`);
  expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(width);
  await page.close();
});

test("Home marks the campaign and leads to its result", async () => {
  const page = await shop.open({ role: "viewer", path: "/?from=2026-02-01&to=2026-03-01" });
  await page.locator("svg[data-plot]").first().waitFor();
  await page.locator("svg[data-plot] line[data-mark=start]").first().waitFor({ state: "attached" });
  await shop.look(page, "results-home-en");
  await page.getByRole("link", { name: "Double weekend" }).click();
  const panel = page.getByRole("dialog");
  await panel.getByText("Extra points").first().waitFor();
  await page.route("**/api/results/*", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, collection_id: undefined } } }); // as a node of the version before
  });
  await page.reload();
  await panel.getByText("Extra points").first().waitFor();
  expect(await panel.getByText("Collection id").count()).toBe(0);
  await page.close();
});
