import { afterAll, beforeAll, expect, test } from "vitest";
import { CAMPAIGN_PROGRAM, tellCampaign } from "../support/campaign-story.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ now: "2026-03-01T00:00:00Z", worker: false, program: CAMPAIGN_PROGRAM });
  await tellCampaign(shop.service);
});
afterAll(() => shop?.stop());

test("members are set against guests, in both languages and widths", async () => {
  const page = await shop.open({ role: "viewer", path: "/growth" });
  await page.getByRole("row", { name: /¥11,000 ¥3,000 78.6% 5 1 ¥2,200 ¥3,000/ }).waitFor();
  await shop.look(page, "growth-guests-en");
  await page.close();
  const phone = await shop.open({ role: "viewer", language: "ja", path: "/growth", width: 360 });
  await phone.getByRole("row", { name: /11,000/ }).waitFor();
  await shop.look(phone, "growth-guests-ja-phone");
  expect(Number(await phone.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
  await phone.close();
});
