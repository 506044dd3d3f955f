import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
const TIERS = [
  { name: "Bronze", currency_spent_requirement: 0, point_value: 1 },
  { name: "Gold", currency_spent_requirement: 100_000, point_value: 3 },
];
const BONUS = { collection_id: "teas", point_value: 2, starts_at: "2026-03-01", ends_at: "2026-03-20" };
const CAMPAIGN = { name: "Spring", starts_at: "2026-04-01", ends_at: "2026-04-08", point_value: 2 };

beforeAll(async () => {
  const program = { tiers: { rules: TIERS }, campaigns: [CAMPAIGN], earning: { bonus_collections: [BONUS] } };
  shop = await startDashboard({ worker: false, now: "2026-03-10T03:00:00Z", program });
});
afterAll(() => shop?.stop());

test("each setting has a worked example, by keyboard too, and its term in the glossary", async () => {
  const page = await shop.open({ path: "/program/expiration" });
  for (const name of ["Points expire after (months)", "Counted from", "Expired points are removed"])
    await page.getByRole("button", { name: `Example: ${name}` }).waitFor();
  await page.getByRole("button", { name: "Example: Counted from" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText(/counted from the last activity they expire on 21 May/).waitFor();
  await shop.look(page, "help-example");
  const link = page.getByRole("link", { name: "“Activity” in the glossary (new tab)" });
  const [glossary] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await glossary.getByRole("heading", { name: "Glossary" }).waitFor();
  expect(await glossary.locator("[data-chosen] dt").textContent()).toBe("Activity");
  await page.keyboard.press("Escape");
  await page.getByText(/they expire on 21 May/).waitFor({ state: "detached" });
});

test("tiers and campaigns have theirs, in Japanese on a telephone", async () => {
  const page = await shop.open({ path: "/program/tiers", language: "ja", width: 360 });
  await page.getByRole("button", { name: /^例：会員ランク$/ }).click();
  await page.getByText(/12,000円の注文は120・240・360ポイント/).waitFor();
  await shop.look(page, "help-tiers-ja-360");
  await shop.go(page, "/program/campaigns");
  await page.getByText("Spring").first().click();
  await page.getByRole("button", { name: "例：キャンペーンの内容" }).click();
  await page.getByText(/ゴールドは3から2に減ります/).waitFor();
  await shop.look(page, "help-campaign-ja-360");
  await shop.go(page, "/glossary?term=shortfall");
  await shop.look(page, "help-glossary-ja-360");
});

/** The fields of a form that have no worked example near them: in the same part of it, or beside the group that they are in. */
const WITHOUT_EXAMPLE = `[...document.querySelectorAll("main input:not([type=hidden]), main select")]
  .filter((field) => field.checkVisibility())
  .filter((field) => {
    for (let part = field.parentElement, n = 0; part !== null && n < 8; part = part.parentElement, n++)
      if ([...part.querySelectorAll("button")].some((button) => /^Example/.test(button.innerText))) return false;
    return true;
  })
  .map((field) => field.labels?.[0]?.innerText ?? field.outerHTML)`;

test("every field of the program has one near it", async () => {
  const page = await shop.open({ path: "/program/store", role: "owner" });
  for (const tab of ["store", "earning", "tiers", "bonuses", "expiration", "refunds", "coupons", "rewards", "staff"]) {
    await shop.go(page, `/program/${tab}`);
    await page
      .getByRole("button", { name: /^Example/ })
      .first()
      .waitFor();
    expect(await page.evaluate<string[]>(WITHOUT_EXAMPLE), tab).toEqual([]);
  }
});

test("a bonus has its own, in both languages and on a telephone", async () => {
  const page = await shop.open({ path: "/program/bonuses" });
  await page.getByRole("button", { name: "Example: Points, teas" }).click();
  await page.getByText(/A bonus of 1 per 100 adds 3.3/).waitFor();
  await shop.look(page, "help-bonus-en");
  const narrow = await shop.open({ path: "/program/bonuses", language: "ja", width: 360 });
  await narrow.getByRole("button", { name: "例：teasの開始" }).click();
  await narrow.getByText(/20日0時の注文には付きません/).waitFor();
  await shop.look(narrow, "help-bonus-ja-360");
});
