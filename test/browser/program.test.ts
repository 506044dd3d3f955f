import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeProgram } from "../../src/tiers/change-program.ts";
import { makeCustomer } from "../support/customers.ts";
import { confirm, press, tabTo, typeInto } from "./support/keys.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
/** A path of many pictures, on a machine that does other things too. */
const PATIENCE_MS = 300_000;

const PROGRAM = {
  store: { name: "花屋 Hana", currency: "JPY", time_zone: "Asia/Tokyo" },
  earning: {
    excluded_product_tags: ["no-points"],
    bonus_collections: [
      { collection_id: "77", point_value: 1, currency_value: 100 },
      { collection_id: "spring-teas", point_value: 3, starts_at: "2026-03-05", ends_at: "2026-03-25" },
      { collection_id: "new", point_value: 1, starts_at: "2026-03-20" },
    ],
  },
  campaigns: [
    { name: "ひな祭り Spring", starts_at: "2026-03-02", ends_at: "2026-03-15", point_value: 2 },
    {
      name: "Easter",
      starts_at: "2026-03-28",
      ends_at: "2026-04-06",
      point_value: 3,
      by_tier: { Gold: { point_value: 6 } },
    },
  ],
  tiers: {
    rules: [
      { name: "Bronze", currency_spent_requirement: 0, point_value: 1 },
      { name: "Silver", currency_spent_requirement: 50_000, point_value: 2 },
      { name: "Gold", currency_spent_requirement: 100_000, point_value: 3 },
    ],
  },
};

beforeAll(async () => {
  shop = await startDashboard({ worker: false, now: "2026-03-10T03:00:00Z", program: PROGRAM });
  const { deps, client } = shop.service;
  const spends = [0, 12_000, 48_000, 61_000, 99_000, 140_000];
  for (const [index, spent] of spends.entries()) {
    const { storefrontId, bucket, customerUid } = await makeCustomer(deps, { email: `hana${index}@example.com` });
    await deps.db.execute(
      "insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor) values ($1, $2, $3, $4, $5)",
      [`spend-${index}`, bucket, customerUid, "2026-02-20T00:00:00Z", spent],
    );
    await client.post("/api/storefront/point_allotments", { customer_id: storefrontId, point_value: 100 + index });
  }
});
afterAll(() => shop?.stop());

test("a manager changes rates, sees the effect, applies it and goes back", { timeout: PATIENCE_MS }, async () => {
  const page = await shop.open({ path: "/program/earning" });
  await page.getByText("1 pt for every ¥100, rounded up").waitFor();
  await shop.look(page, "program-earning");
  await page.getByLabel("Per amount").fill("50");
  await page.getByText("1 pt for every ¥50, rounded up").waitFor();
  await page.getByLabel("Rounding").selectOption("Down");
  await page.getByRole("link", { name: "Tiers" }).click();
  await page.getByLabel("Spend to enter").nth(1).fill("45000");
  await page.getByRole("link", { name: "Expiration" }).click();
  await page.getByLabel("Points expire after (months)").fill("1");
  await page.getByText("4 changes are not applied yet").waitFor();
  await shop.look(page, "program-draft");

  await page.getByRole("button", { name: "Review changes" }).click();
  await page
    .getByText(/^In upcoming campaigns and bonuses/)
    .first()
    .click();
  await page.getByRole("row", { name: /Bronze.*From 16 Mar 2026.*¥3,480.*35.*69/ }).waitFor();
  await page
    .getByRole("region", { name: "Changes to expiry" })
    .getByText(/615 pt in 6 balances/)
    .first()
    .waitFor();
  await page.getByLabel("Now", { exact: true }).check();
  await page.locator("summary", { hasText: "Customers who move immediately: 1" }).waitFor();
  await page.getByRole("row", { name: /hana2@example.com Bronze Silver/ }).waitFor();
  await page.evaluate("scrollTo(0, 0)");
  await shop.look(page, "program-review");
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await page.getByText("Version 3 is now in effect. Customers moved: 1.").waitFor();
  const { document } = await state();
  expect(document.earning).toMatchObject({ point_value: 1, currency_value: 50, rounding: "down" });
  await shop.look(page, "program-versions");

  await page.getByRole("link", { name: "2", exact: true }).click();
  await page.getByRole("dialog", { name: "Version 2" }).getByRole("button", { name: "Restore this version" }).click();
  await page.getByRole("row", { name: "Rounding Down Up" }).waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await page.getByText("Version 4 is now in effect.").waitFor();
  expect((await state()).document).toMatchObject({
    earning: { currency_value: 100, rounding: "up" },
    expiration: { delay_months: 12 },
  });
});

test("campaigns that overlap are named, and a fault of the service stands at its field", {
  timeout: PATIENCE_MS,
}, async () => {
  const page = await shop.open({ path: "/program/campaigns" });
  await page.getByRole("link", { name: "ひな祭り Spring" }).first().waitFor();
  await shop.look(page, "program-campaigns");
  await page.getByRole("button", { name: "Add a campaign" }).click();
  const panel = page.getByRole("dialog", { name: "New campaign" });
  await panel.getByLabel("Ends").fill("2026-03-30T00:00");
  await panel.getByText("New campaign and Easter run at the same time.").waitFor();
  await panel.getByLabel("Name").fill("Petals");
  await panel.waitFor({ state: "detached" });
  await shop.look(page, "program-campaign-panel");
  await page.keyboard.press("Escape");
  shop.expectStatus(page, 422);
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.getByText(/Easter and Petals run at the same time/).waitFor();
  await shop.look(page, "program-faults");
});

/** A time as it is typed into the parts of its field, from the first one on. */
async function typeTime(page: Page, name: string, parts: readonly string[]): Promise<void> {
  await tabTo(page, name);
  for (const part of parts) await page.keyboard.type(part);
}

async function applyByKeys(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await press(page, "Review changes");
  await press(page, page.getByRole("button", { name: "Apply", exact: true }));
  await confirm(page, "Apply");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("a new campaign doubles what every tier earns; rates that take points from tiers are warned of by name", {
  timeout: PATIENCE_MS,
}, async () => {
  const page = await shop.open({ path: "/program/campaigns" });
  await press(page, "Add a campaign");
  const panel = page.getByRole("dialog", { name: "New campaign" });
  await panel.getByText("Gold: 6 pt for every ¥100").waitFor();
  expect(await panel.getByRole("alert").count()).toBe(0);
  await typeInto(page, "Multiply by", "1.5");
  await panel.getByText("Gold: 9 pt for every ¥200").waitFor();
  await shop.look(page, "program-campaign-multiplied");
  await tabTo(page, panel.getByRole("radio", { name: "Multiply" }));
  await shop.settle(page); // the forecast
  await panel.getByRole("radio", { name: "Multiply" }).press("ArrowRight");
  await panel.getByRole("switch").first().waitFor(); // `all` waits for none
  for (const own of await panel.getByRole("switch").all()) if (await own.isChecked()) await press(page, own, "Space");
  await panel.getByText("New campaign: Silver and Gold earn less than without the campaign.").waitFor();
  await panel.getByText("Gold: 3 pt for every ¥200 instead of 3 pt for every ¥100").waitFor();
  await shop.look(page, "program-campaign-losses");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await press(page, "Review changes");
  await page.getByText("New campaign: Silver and Gold earn less than without the campaign.").waitFor();
  await shop.look(page, "program-review-losses");
});

test("a campaign is made and ended by the keyboard alone", { timeout: PATIENCE_MS }, async () => {
  const page = await shop.open({ path: "/program/campaigns" });
  await press(page, "Add a campaign");
  await page.getByRole("dialog", { name: "New campaign" }).waitFor();
  await typeInto(page, page.getByRole("dialog").getByLabel("Name"), "Keys");
  await typeTime(page, "Starts", ["03", "17", "2026", "\t", "12", "00", "AM"]);
  await typeTime(page, "Ends", ["03", "20", "2026", "\t", "12", "00", "AM"]);
  await applyByKeys(page);
  const times = async () => {
    const campaigns: { name: string; starts_at: string; ends_at: string }[] = (await state()).document.campaigns;
    const { starts_at: starts, ends_at: ends } = campaigns.find(({ name }) => name === "Keys") ?? {};
    return [starts, ends].map((at) => at?.slice(0, 13));
  };
  await expect.poll(times).toEqual(["2026-03-16T15", "2026-03-19T15"]);
  await press(page, page.getByRole("link", { name: "Campaigns" }));
  await press(page, page.getByRole("table").getByRole("link", { name: "Keys" }));
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await typeTime(page, "Ends", ["03", "18"]);
  await applyByKeys(page);
  await expect.poll(times).toEqual(["2026-03-16T15", "2026-03-17T15"]);
});

test("somebody else's version is shown, and the draft taken over to it", { timeout: PATIENCE_MS }, async () => {
  const page = await shop.open({ path: "/program/rewards" });
  const file = { name: "program.json", mimeType: "application/json" };
  await page
    .locator("input[type=file]")
    .setInputFiles({ ...file, buffer: Buffer.from('{"rewards": {"signup": 300}}') });
  await page.getByRole("row", { name: "Points for signing up 0 pt 300 pt" }).waitFor();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  const change = { document: { rewards: { birthday: 500 } }, author: "Aiko", isDryRun: false, isNow: false };
  const { version } = await changeProgram(shop.service.deps, change);
  shop.expectStatus(page, 409);
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await page.getByText(`Aiko has applied version ${version} in the meantime.`).first().waitFor();
  await shop.look(page, "program-conflict");
  await page.getByRole("button", { name: "Move my changes" }).click();
  await page.getByText(`Aiko has applied version ${version} in the meantime.`).first().waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await page.getByText(`Version ${version + 1} is now in effect.`).waitFor();
  expect((await state()).document.rewards).toMatchObject({ signup: 300, birthday: 500 });
});

test.each([
  ["en", "Spend to enter", "Review changes", "Apply", "31,000"],
  ["ja", "必要な購入額", "変更内容の確認", "適用する", "３２，０００"],
] as const)(
  "a requirement typed with separators, in %s",
  { timeout: PATIENCE_MS },
  async (language, label, review, apply, typed) => {
    const page = await shop.open({ path: "/program/tiers", language });
    const field = page.getByLabel(label).nth(1);
    await field.fill("");
    await page.keyboard.insertText(typed);
    await field.blur();
    const amount = language === "en" ? 31_000 : 32_000;
    expect(await field.inputValue()).toBe(amount.toLocaleString("en"));
    await shop.look(page, `program-typed-${language}`);
    await page.getByRole("button", { name: review }).click();
    await page.getByRole("button", { name: apply, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: apply }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(async () => (await state()).document.tiers.rules[1].currency_spent_requirement).toBe(amount);
  },
);

test("the approval limit is an owner's to change", { timeout: PATIENCE_MS }, async () => {
  const limit = "Approval limit (points)";
  const manager = await shop.open({ path: "/program/staff" });
  await manager.getByText("Only an owner can change it.").first().waitFor();
  expect(await manager.getByLabel(limit).isDisabled()).toBe(true);
  await shop.look(manager, "program-staff");
  const owner = await shop.open({ path: "/program/staff", role: "owner" });
  await owner.getByLabel(limit).fill("5,000");
  await owner.getByRole("button", { name: "Review changes" }).click();
  await owner.getByRole("button", { name: "Apply" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
  await owner.getByText(/^Version \d+ is now in effect/).waitFor();
  expect((await state()).document.staff.approval_limit).toBe(5_000);
});

test("every part in Japanese, for those who only look, narrow and dark", { timeout: PATIENCE_MS }, async () => {
  const page = await shop.open({ path: "/program", language: "ja" });
  const tabs = [
    "会員ランク",
    "キャンペーン",
    "ボーナス対象",
    "有効期限",
    "返金",
    "クーポン",
    "特典",
    "スタッフ",
    "変更履歴",
    "ポイント付与",
  ];
  await shop.look(page, "program-store-ja");
  for (const [index, name] of tabs.entries()) {
    await page.getByRole("navigation", { name: "プログラムの項目" }).getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await shop.look(page, `program-ja-${index}`);
  }
  await page.evaluate("Storage.prototype.setItem = () => { throw new Error('full') }"); // so that the draft is not kept
  await page.getByLabel("端数処理").selectOption("切り捨て");
  await page.getByRole("button", { name: "変更内容の確認" }).click();
  await page.getByRole("button", { name: "適用する", exact: true }).waitFor();
  await shop.look(page, "program-review-ja");
  await page.getByRole("link", { name: "会員", exact: true }).first().click();
  await page.getByText("適用せずに移動しますか？").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "キャンセル" }).click();

  const viewer = await shop.open({ path: "/program/tiers", role: "viewer", width: 360, colorScheme: "dark" });
  await viewer.getByText(/^Version \d+ by .+\. Your role can view the program but not change it\.$/).waitFor();
  expect(await viewer.getByRole("button", { name: "Add a tier" }).count()).toBe(0);
  await shop.look(viewer, "program-viewer-narrow");
  const narrow = await shop.open({ path: "/program/campaigns", width: 360, language: "ja" });
  await shop.look(narrow, "program-campaigns-narrow-ja");
});

async function state() {
  const manager = await shop.as("manager");
  return (await manager.get("/program")).body.data;
}
