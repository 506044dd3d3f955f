import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aggregateGrowthAll, buildGrowthStory, GROWTH_PROGRAM } from "../support/growth-story.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ now: "2026-01-01T00:00:00Z", worker: false, program: GROWTH_PROGRAM });
  const { client, deps } = shop.service;
  await buildGrowthStory(shop.service);
  for (const id of ["e", "f", "g"]) await client.put(`/api/storefront/customers/${id}`, { name: `New ${id}` });
  for (const id of ["dan", "e", "f", "g"])
    await client.post(`/api/storefront/point_balances/${id}/tiers`, { tier: "Gold" });
  await aggregateGrowthAll(deps);
});
afterAll(() => shop?.stop());

const TABS = [
  ["members", "/growth", /^February 2026 2 1 1$/],
  ["guests", "/growth/guests", /^February 2026 ¥9,000 ¥3,000 75.0% 2 1 ¥4,500 ¥3,000$/],
  ["joined", "/growth/joined", /^January 2026 2 2 1 50.0% 410 160 0 −50 200$/],
  ["tiers", "/growth/tiers", /^February 2026 3 1 1 1 0$/],
  ["benefits", "/results/benefits", /^January 2026 3 130 1 \(33.3%\) 20 ¥110 33.3%$/],
] as const;

test("each part has its figures by month", async () => {
  const page = await shop.open({ role: "viewer", path: "/growth" });
  for (const [name, path, row] of TABS) {
    await shop.go(page, path);
    await page.getByRole("row", { name: row }).waitFor();
    if (name !== "benefits")
      await page
        .getByRole("img", { name: /^Chart: / })
        .locator("svg[data-plot]")
        .first()
        .waitFor();
    await shop.look(page, `growth-${name}-en`);
  }
});

test("forced colours show which part is open, and which form of a chart is chosen", async () => {
  const page = await shop.open({ role: "viewer", path: "/growth/tiers" });
  await page.emulateMedia({ forcedColors: "active" });
  const groundOf = (place: Locator) =>
    place.evaluate((element) => String(Object(globalThis).getComputedStyle(element).backgroundColor));
  const tabs = page.getByRole("navigation", { name: "Growth" });
  const current = await groundOf(tabs.getByRole("link", { name: "Tiers" }));
  expect(current).not.toBe(await groundOf(tabs.getByRole("link", { name: "Customers", exact: true })));
  const pages = page.getByRole("banner").getByRole("navigation").first();
  expect(await groundOf(pages.getByRole("link", { name: "Growth" }))).toBe(current);
  await shop.look(page, "growth-forced-colours");
  await shop.go(page, "/");
  const [chart, table] = ["Chart", "Table"].map((name) => page.locator("label", { hasText: name }).first());
  if (chart === undefined || table === undefined) throw new Error("there are two");
  expect(await groundOf(chart)).toBe(current);
  expect(await groundOf(table)).not.toBe(current);
});

/** Part by part on a telephone in Japanese, with the text that each shows. */
async function lookOnTelephone(parts: readonly (readonly [name: string, path: string, text: string])[]): Promise<void> {
  const page = await shop.open({ role: "viewer", language: "ja", path: "/growth", width: 360 });
  for (const [name, path, text] of parts) {
    await shop.go(page, path);
    await page.getByRole("dialog").or(page.getByRole("main")).last().getByText(text).first().waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "エクスポート" }).count()).toBe(0);
    await shop.look(page, `growth-${name}-ja-360`);
    expect(Number(await page.evaluate("document.documentElement.scrollWidth")), name).toBeLessThanOrEqual(360);
  }
}

test("each part fits a telephone in Japanese", async () => {
  await lookOnTelephone(TABS.map(([name, path]) => [name, path, "2026年2月"]));
});

describe("each figure opens its list", () => {
  test("who moved up in a month, and one pair of tiers alone", async () => {
    const page = await shop.open({ role: "manager", path: "/growth/tiers" });
    await page
      .getByRole("row", { name: /^March 2026/ })
      .getByRole("link", { name: "4" })
      .last()
      .click();
    const panel = page.getByRole("dialog", { name: "Moved up, March 2026" });
    await panel.getByRole("row", { name: "New e New customer Gold" }).waitFor();
    await panel.getByRole("row", { name: /^dan@shop.example Regular Gold$/ }).waitFor();
    await shop.look(page, "growth-moves-en");
    await panel.getByRole("link", { name: "Regular to Gold" }).click();
    await panel
      .getByRole("row", { name: /New customer/ })
      .first()
      .waitFor({ state: "detached" });
    await expect.poll(() => panel.getByRole("row").count()).toBe(2);
    await panel.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
    expect((await download).suggestedFilename()).toBe("growth-moves-2026-03-01.csv");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/admin/growth/tiers");
  });

  test("who was in a tier at the end of a past month", async () => {
    const page = await shop.open({ role: "manager", path: "/growth/tiers" });
    await page
      .getByRole("row", { name: /^February 2026 3 1 1 1 0$/ })
      .getByRole("link", { name: "1" })
      .first()
      .click();
    const panel = page.getByRole("dialog", { name: "Gold, February 2026" });
    await panel.getByRole("row", { name: /^cat@shop.example Gold February 2026 Gold$/ }).waitFor();
    expect(await panel.getByRole("row").count()).toBe(2);
    await shop.look(page, "growth-stays-en");
    await panel.getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
    expect((await download).suggestedFilename()).toBe("growth-stays-2026-03-01.csv");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/admin/growth/tiers");
  });

  test("who used a coupon, and what the others led to", async () => {
    const page = await shop.open({ role: "manager", path: "/results/benefits" });
    await page
      .getByRole("row", { name: /^January 2026/ })
      .getByRole("link", { name: "3", exact: true })
      .click();
    const panel = page.getByRole("dialog", { name: "Coupons · Taken · January 2026" });
    await panel.getByRole("row", { name: /^ann@shop.example 12 Jan 2026 10 Yes Yes$/ }).waitFor();
    expect(await panel.getByRole("row").count()).toBe(4);
    await shop.look(page, "results-benefit-list-en");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    await page
      .getByRole("row", { name: /^January 2026/ })
      .getByRole("link", { name: "1 (33.3%)" })
      .click();
    await page
      .getByRole("dialog", { name: "Coupons · Used · January 2026" })
      .getByRole("row", { name: /ann@/ })
      .waitFor();
  });

  test("the lists fit a telephone in Japanese", async () => {
    await lookOnTelephone([
      ["moves", "/growth/tiers?month=2026-03&direction=up", "新規会員"],
      ["stays", "/growth/tiers?stays=2026-01&figure=members", "ann@shop.example"],
      ["list-benefits", "/results/benefits?list=ordered", "ann@shop.example"],
    ]);
  });
});

describe("in a store of three tiers", () => {
  let tiered: Dashboard;
  beforeAll(async () => {
    const { rules } = GROWTH_PROGRAM.tiers;
    const program = {
      ...GROWTH_PROGRAM,
      tiers: { rules: [...rules, { name: "Platinum", currency_spent_requirement: 90_000 }] },
    };
    tiered = await startDashboard({ now: "2026-01-10T00:00:00Z", worker: false, program });
    const { client, clock, deps } = tiered.service;
    for (const [id, tier] of [
      ["k1", "Gold"],
      ["k2", "Gold"],
      ["k3", "Platinum"],
    ] as const) {
      await client.put(`/api/storefront/customers/${id}`, { name: `Kept ${id}` });
      expect((await client.post(`/api/storefront/point_balances/${id}/tiers`, { tier })).status).toBe(200);
    }
    clock.set("2026-02-15T00:00:00Z");
    await aggregateGrowthAll(deps);
  });
  afterAll(() => tiered?.stop());

  test("who kept a tier is narrowed to one of them", async () => {
    const page = await tiered.open({ role: "manager", path: "/growth/tiers" });
    const columns = await page.getByRole("columnheader").allInnerTexts();
    const charts = await page.locator("[class*=tierName]").allInnerTexts();
    expect(charts.map((text) => text.split(" ", 1)[0])).toEqual(columns.slice(1, 4));
    await page
      .getByRole("row", { name: /^February 2026 0 2 1 0 0 3$/ })
      .getByRole("link", { name: "3" })
      .click();
    const panel = page.getByRole("dialog", { name: "Kept, February 2026" });
    await panel.getByRole("row", { name: /^Kept k1 Gold January 2026 Gold$/ }).waitFor();
    expect(await panel.getByRole("list", { name: "By tier" }).getByRole("listitem").allInnerTexts()).toEqual([
      "All 3",
      "Gold 2",
      "Platinum 1",
    ]);
    await tiered.look(page, "growth-kept-en");
    await panel.getByRole("link", { name: "Platinum" }).click();
    await panel
      .getByRole("row", { name: /Kept k1/ })
      .first()
      .waitFor({ state: "detached" });
    await expect.poll(() => panel.getByRole("row").count()).toBe(2);
    await page.close();
  });

  test("and on a telephone in Japanese", async () => {
    const path = "/growth/tiers?stays=2026-02&figure=kept";
    const page = await tiered.open({ role: "viewer", language: "ja", path, width: 360 });
    await page.getByRole("list", { name: "会員ランク別" }).waitFor();
    await tiered.look(page, "growth-kept-ja-360");
    expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
    await page.close();
  });
});

test("a manager goes from the lapsing customers to the segment of them", async () => {
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
