import { afterAll, beforeAll, expect, test } from "vitest";
import { workImports } from "../../src/imports/work-imports.ts";
import { countSegments } from "../../src/segments/count-segments.ts";
import { CAMPAIGN_PROGRAM, tellCampaign } from "../support/campaign-story.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ now: "2026-03-01T00:00:00Z", worker: false, program: CAMPAIGN_PROGRAM });
  await tellCampaign(shop.service);
});
afterAll(() => shop?.stop());

test("a manager saves a segment and gives all of it points", async () => {
  const { deps } = shop.service;
  const page = await shop.open({ role: "manager", path: "/segments" });
  await page.getByRole("button", { name: "New segment" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name", { exact: false }).first().fill("Big spenders");
  await form.getByLabel("Spend at least").fill("3,000");
  await form.getByLabel("Language").selectOption({ label: "Japanese" });
  await form.getByRole("button", { name: "Count" }).click();
  await form.getByText("0 members").waitFor();
  await form.getByLabel("Language").selectOption({ label: "Not known" });
  await form.getByRole("button", { name: "Count" }).click();
  await form.getByText("2 members").waitFor();
  await shop.look(page, "segment-form-en");
  await form.getByRole("button", { name: "Save segment" }).click();
  await page.getByRole("heading", { name: "Big spenders" }).waitFor();
  while ((await countSegments(deps)) > 0);
  await page.getByRole("row", { name: /Member 1/ }).waitFor();
  await shop.look(page, "segment-en");
  await page.getByRole("button", { name: "Give or take points" }).click();
  await page.getByLabel("Points for each member").fill("150");
  await shop.look(page, "segment-bulk-en");
  await page.getByRole("button", { name: "Check and preview" }).click();
  await page.waitForURL(/\/csv\/imports\//);
  await workImports(deps);
  await page.getByText("Big spenders: +150.csv").first().waitFor();
  await page.getByRole("button", { name: /^Import 2/ }).waitFor();
  await page.close();
});

test("in Japanese on a phone, a viewer sees it and changes nothing", async () => {
  const page = await shop.open({ role: "viewer", language: "ja", path: "/segments", width: 360 });
  await page.getByRole("link", { name: /Big spenders/ }).click();
  await page.getByText("購入額（以上）: ¥3,000 · 言語: 不明").waitFor();
  expect(await page.getByRole("button", { name: "ポイントの付与・減算" }).count()).toBe(0);
  await shop.look(page, "segment-ja-phone");
  expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
  await page.close();
});
