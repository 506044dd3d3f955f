import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// Drafts of the program in two tabs of one browser, and one that is changed while it is applied: nothing that somebody entered is lost.
let shop: Dashboard;
const PATIENCE_MS = 300_000;
const ELSEWHERE = "In another tab or window you changed this on";

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
});
afterAll(() => shop?.stop());

async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(`${shop.service.url}/admin${path}`);
  await tab.getByRole("heading", { level: 1, name: "Program" }).waitFor();
  return tab;
}

const state = async () => (await (await shop.as("manager")).get("/program")).body.data;

test("two tabs are told of each other's draft, and both drafts outlive a reload", {
  timeout: PATIENCE_MS,
}, async () => {
  const first = await shop.open({ path: "/program/earning" });
  const second = await openTab(first, "/program/rewards");
  await first.getByLabel("Per amount").fill("50");
  await second.getByText(ELSEWHERE).first().waitFor();
  await second.getByLabel("Points for signing up").fill("77");
  await first.getByText(ELSEWHERE).first().waitFor();
  await shop.look(first, "program-other-tab");
  await first.getByLabel("Per amount").fill("40");
  await second.getByRole("status").getByText("40", { exact: false }).first().waitFor(); // a screen reader goes on reading
  expect(await second.getByLabel("Points for signing up").inputValue()).toBe("77");
  await second.reload();
  const left = second.getByRole("button", { name: "Continue with these changes" });
  await left.first().waitFor();
  expect(await left.count()).toBe(2);
  await left.first().click();
  await second.getByRole("button", { name: "Add these to my changes" }).click();
  await second.getByText("2 changes are not applied yet").waitFor();
  expect(await first.getByLabel("Per amount").inputValue()).toBe("40");
  await first.reload();
  const ofBoth = first.getByRole("alert").filter({ hasText: "77" });
  await ofBoth.getByRole("button", { name: "Continue with these changes" }).click();
  await first.getByText("2 changes are not applied yet").waitFor();
});

test("a draft that another tab takes over and applies is stored by neither", { timeout: PATIENCE_MS }, async () => {
  const first = await shop.open({ path: "/program/earning" });
  const second = await openTab(first, "/program/earning");
  await first.getByLabel("Per amount").fill("45");
  await second.getByText(ELSEWHERE).first().waitFor();
  await second.getByRole("button", { name: "Continue with these changes" }).click();
  await second.getByRole("button", { name: "Review changes" }).click();
  await second.getByRole("button", { name: "Apply", exact: true }).click();
  await second.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await first.getByText("1 change is not applied yet").waitFor({ state: "detached" });
  expect(await first.getByLabel("Per amount").inputValue()).toBe("45");
  const stored = "Object.keys(localStorage).filter((key) => key.startsWith('pointkeeper.program-draft'))";
  await expect.poll(() => second.evaluate(stored)).toEqual([]);
});

test("what is changed while a draft is being applied is still there afterwards", { timeout: PATIENCE_MS }, async () => {
  const page = await shop.open({ path: "/program/earning" });
  const { version } = await state();
  await page.getByLabel("Per amount").fill("60");
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/program", async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Rewards" }).click();
  await page.getByLabel("Points for signing up").fill("88");
  await page.getByText("2 changes are not applied yet").waitFor();
  answer();
  await page.getByText("1 change is not applied yet").waitFor();
  expect(await page.getByLabel("Points for signing up").inputValue()).toBe("88");
  await page
    .getByText(`Version ${version + 1} by manager`)
    .first()
    .waitFor();
  expect(await page.getByRole("button", { name: "Move my changes" }).count()).toBe(0);
  await page.reload();
  await page.getByRole("button", { name: "Continue with these changes" }).click();
  expect(await page.getByLabel("Points for signing up").inputValue()).toBe("88");
  const { document } = await state();
  expect([document.earning.currency_value, document.rewards.signup]).toEqual([60, 0]);
});

test("the faults of a review are in the language of the page", { timeout: PATIENCE_MS }, async () => {
  const page = await shop.open({ path: "/program/campaigns", language: "ja" });
  await page.getByRole("button", { name: "キャンペーンを追加" }).click();
  await page.getByRole("dialog").getByLabel("終了").fill("2020-01-01T00:00");
  await page.keyboard.press("Escape");
  shop.expectStatus(page, 422);
  await page.getByRole("button", { name: "変更内容の確認" }).click();
  await page.getByText("開始より後の日時を指定してください").waitFor();
});
