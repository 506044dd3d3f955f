import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
const TIERS = [
  { name: "Bronze", currency_spent_requirement: 0, point_value: 1 },
  { name: "Gold", currency_spent_requirement: 100_000, point_value: 3 },
];
const CAMPAIGN = { name: "Spring", starts_at: "2026-04-01", ends_at: "2026-04-08", point_value: 2 };

beforeAll(async () => {
  const program = { tiers: { rules: TIERS }, campaigns: [CAMPAIGN] };
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
  const tiers = await shop.open({ path: "/program/tiers", language: "ja", width: 360 });
  await tiers.getByRole("button", { name: /^例：会員ランク$/ }).click();
  await tiers.getByText(/12,000円の注文は120・240・360ポイント/).waitFor();
  await shop.look(tiers, "help-tiers-ja-360");
  const campaign = await shop.open({ path: "/program/campaigns", language: "ja", width: 360 });
  await campaign.getByText("Spring").first().click();
  await campaign.getByRole("button", { name: "例：キャンペーンの内容" }).click();
  await campaign.getByText(/ゴールドは3から2に減ります/).waitFor();
  await shop.look(campaign, "help-campaign-ja-360");
  const glossary = await shop.open({ path: "/glossary?term=shortfall", language: "ja", width: 360 });
  await shop.look(glossary, "help-glossary-ja-360");
});
