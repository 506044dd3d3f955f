import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GROWTH_PROGRAM, tellGrowth } from "../support/growth-story.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ now: "2026-01-01T00:00:00Z", worker: false, program: GROWTH_PROGRAM });
  await tellGrowth(shop.service);
});
afterAll(() => shop?.stop());

const TABS = [
  ["members", "/growth", /^February 2026 2 1 1$/],
  ["guests", "/growth/guests", /^February 2026 ¥9,000 ¥3,000 75% 2 1 ¥4,500 ¥3,000$/],
  ["joined", "/growth/joined", /^January 2026 2 2 1 50% 410 160 0 200$/],
  ["tiers", "/growth/tiers", /^February 2026 3 1 1 1 0$/],
  ["benefits", "/results/benefits", /^January 2026 3 130 1 \(33.3%\) 20 ¥110 33.3%$/],
] as const;

describe.each(TABS)("%s", (name, path, row) => {
  test("has its figures by month", async () => {
    const page = await shop.open({ role: "viewer", path });
    await page.getByRole("row", { name: row }).waitFor();
    await shop.look(page, `growth-${name}-en`);
    await page.close();
  });

  test("fits a telephone in Japanese", async () => {
    const page = await shop.open({ role: "viewer", language: "ja", path, width: 360 });
    await page.getByText("2026年2月").waitFor();
    await shop.look(page, `growth-${name}-ja-phone`);
    expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
    await page.close();
  });
});

test("a manager goes from the lapsing members to the segment of them", async () => {
  const page = await shop.open({ role: "manager", path: "/growth" });
  await page.locator("dl").getByText("Lapsing", { exact: true }).locator("..").getByRole("link", { name: "1" }).click();
  const panel = page.getByRole("dialog");
  expect(await panel.getByLabel("Name").inputValue()).toBe("Lapsing");
  await panel.getByRole("button", { name: "Count" }).click();
  await panel.getByRole("status").getByText("1").waitFor();
  await shop.look(page, "growth-to-segment-en");
  await panel.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Lapsing" }).waitFor();
  await page.close();
});
