import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workImports } from "../../src/imports/work-imports.ts";
import { countSegments } from "../../src/segments/count-segments.ts";
import { buildCampaignStory, CAMPAIGN_PROGRAM } from "../support/campaign-story.ts";
import { choose, confirm, press, typeInto } from "./support/keys.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ now: "2026-03-01T00:00:00Z", worker: false, program: CAMPAIGN_PROGRAM });
  await buildCampaignStory(shop.service);
});
afterAll(() => shop?.stop());

test("a manager saves a segment and gives all of it points, by the keyboard alone", async () => {
  const { deps } = shop.service;
  const page = await shop.open({ role: "manager", path: "/segments" });
  await press(page, "New segment");
  const form = page.getByRole("dialog");
  await form.getByLabel("Spend at least").waitFor();
  await typeInto(page, form.getByLabel("Name", { exact: false }).first(), "Big spenders");
  await typeInto(page, "Spend at least", "3,000");
  await choose(page, "Language", "Japanese");
  await press(page, "Count");
  await form.getByText("0 customers").waitFor();
  await choose(page, "Language", "Not known");
  await press(page, "Count");
  await form.getByText("2 customers").waitFor();
  await shop.look(page, "segment-form-en");
  await press(page, "Save segment");
  await page.getByRole("heading", { name: "Big spenders" }).waitFor();
  while ((await countSegments(deps)) > 0);
  await page.getByRole("row", { name: /Member 1/ }).waitFor();
  await shop.look(page, "segment-en");
  await press(page, "Give or take points");
  await page.getByLabel("Points for each customer").waitFor();
  await typeInto(page, "Points for each customer", "150");
  await shop.look(page, "segment-bulk-en");
  await press(page, "Check and preview");
  await page.waitForURL(/\/csv\/imports\//);
  await workImports(deps);
  await page.getByText("Big spenders: +150.csv").first().waitFor();
  await page.getByRole("button", { name: /^Import 2/ }).waitFor();
  await press(page, "Import 2");
  await confirm(page, "Import 2");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await workImports(deps);
  await page.getByRole("button", { name: "Undo the import" }).waitFor();
});

test("a manager selects customers one by one, also with the keyboard, and gives them points", async () => {
  const { deps } = shop.service;
  const page = await shop.open({ role: "manager", path: "/customers" });
  await press(page, "Select");
  await page.getByText("0 selected").waitFor();
  const panel = page.getByRole("dialog");
  await page.getByRole("row", { name: /Member 1/ }).click();
  await press(page, "Change tier");
  await panel.waitFor();
  await page.goBack();
  await panel.waitFor({ state: "detached" });
  await page.getByText("1 selected").waitFor();
  await press(page, page.getByRole("checkbox", { name: /Member 2/ }), "Space");
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("k");
  await page
    .getByRole("checkbox", { name: /Member 2/ })
    .and(page.locator(":not(:focus)"))
    .waitFor();
  await page.keyboard.press("j");
  await page
    .getByRole("checkbox", { name: /Member 2/ })
    .and(page.locator(":focus"))
    .waitFor();
  await shop.look(page, "customers-selected-en");
  await press(page, "Change tier");
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await searchesFor(page, "Member 2");
  await press(page, "Give or take points");
  await page.getByText("For 2 selected customers.").waitFor();
  await typeInto(page, "Points for each customer", "30");
  shop.expectStatus(page, 409, 504);
  const loseAnswer = (route: Route) => route.fetch().then(() => route.fulfill({ status: 504 }));
  await page.route(/\/bulk\/points/, loseAnswer, { times: 1 });
  await press(page, "Check and preview");
  await page.getByRole("alert").getByText("may have been done or not").waitFor();
  await press(page, "Check and preview");
  await press(page, "Open that import");
  await page.waitForURL(/\/csv\/imports\//);
  await workImports(deps);
  await page.getByText("2 customers: +30.csv").first().waitFor();
  await page.getByText("+60").waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.waitForURL(/\/customers$/);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.setViewportSize({ width: 360, height: 700 });
  await page.getByRole("row", { name: /Member 1/ }).click();
  await shop.look(page, "customers-selected-phone");
  expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(360);
});

/** While other rows are read, none of those that are still shown can be selected together. */
async function searchesFor(page: Page, text: string): Promise<void> {
  const answer = Promise.withResolvers<void>();
  await page.route(/\/api\/customers\?/, (route) => answer.promise.then(() => route.continue()), { times: 1 });
  await page.getByRole("searchbox").first().fill(text);
  await page.getByRole("button", { name: "Select all on this page", disabled: true }).waitFor();
  answer.resolve();
  await page.getByText("(1 not on this page)").waitFor();
  await page.getByRole("button", { name: "Select all on this page", disabled: false }).waitFor();
  await page.getByRole("searchbox").first().fill("");
  await page.getByText("(1 not on this page)").waitFor({ state: "detached" });
}

test("a segment of several tiers is shown and kept by its form, and what was saved meanwhile is not replaced", async () => {
  const manager = await shop.as("manager");
  const tiers = (await manager.get("/segments")).body.tiers.map(({ uid }: { uid: string }) => uid);
  const filter = { tiers: [...tiers, "019a0000-0000-7000-8000-000000000000"], tags: ["Osaka, Japan"] };
  const { uid } = (await manager.post("/segments", { name: "Some tiers", filter })).body.data;
  const filterNow = async () =>
    (await manager.get("/segments")).body.data.find((one: { uid: string }) => one.uid === uid).filter;
  const page = await shop.open({ role: "manager", path: `/segments/${uid}?panel=edit`, language: "ja", width: 360 });
  const form = page.getByRole("dialog");
  const ticks = form.getByRole("group", { name: "会員ランク" }).getByRole("checkbox", { checked: true });
  const save = form.getByRole("button", { name: "セグメントを保存" });
  await ticks.nth(2).waitFor();
  await ticks.nth(2).scrollIntoViewIfNeeded();
  await shop.look(page, "segment-tiers-ja-360");
  await save.click();
  await form.waitFor({ state: "detached" });
  expect(await filterNow()).toEqual(filter);

  await page.getByRole("button", { name: "編集" }).click();
  await form.getByRole("checkbox", { name: "Gold" }).uncheck();
  expect((await manager.put(`/segments/${uid}`, { name: "Meanwhile", filter: { tiers } })).status).toBe(200);
  shop.expectStatus(page, 409);
  await save.click();
  const show = form.getByRole("button", { name: "保存されている内容を表示" });
  await show.waitFor();
  await shop.look(page, "segment-meanwhile-ja-360");
  expect(await form.getByRole("checkbox", { name: "Gold" }).isChecked()).toBe(false);
  await show.click();
  expect(await form.getByRole("checkbox", { name: "Gold" }).isChecked()).toBe(true);
  expect(await form.getByLabel("名前").first().inputValue()).toBe("Meanwhile");
  await form.getByRole("checkbox", { name: "Regular" }).uncheck();
  await save.click();
  await form.waitFor({ state: "detached" });
  expect((await filterNow()).tiers).toHaveLength(1);
});

test("a segment that was removed is said to be gone, with the way back to the others", async () => {
  const page = await shop.open({ role: "viewer", path: "/segments/01900000-0000-7000-8000-000000000000" });
  await page.getByText("This segment no longer exists").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Segments" }).click();
  await page.getByRole("link", { name: /Big spenders/ }).waitFor();
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
