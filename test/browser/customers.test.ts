import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

const RULES = [
  { name: "ブロンズ", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
  { name: "シルバー", default: false, currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
  { name: "ゴールド", default: false, currency_spent_requirement: 200_000, point_value: 3, currency_value: 100 },
];
const PEOPLE = [
  { storefrontId: "4820001", name: "山田 花子", email: "hanako@example.jp", birthday: "1988-04-12" },
  { storefrontId: "4820002", name: "山田 太郎", email: "taro@example.jp" },
  { storefrontId: "4820003", name: "Anna Lindqvist", email: "anna@example.com", acceptsMarketing: true },
  { storefrontId: "4820004", name: "森 愛", email: null },
];

beforeAll(async () => {
  const store = { name: "花屋 Hanaya", time_zone: "Asia/Tokyo" };
  shop = await startDashboard({
    worker: false,
    program: { store, tiers: { rules: RULES }, staff: { approval_limit: 1_000 } },
  });
  const { deps, client } = shop.service;
  for (const person of PEOPLE) await deps.db.tx((tx) => upsertCustomer(tx, deps, person));
  const award = (customer_id: string, point_value: number) =>
    client.post("/api/storefront/point_allotments", { customer_id, point_value, reason: { type: "reward" } });
  await award("4820001", 640);
  await award("4820001", -128);
  await award("4820003", 90);
  await shop.as("support");
  await shop.as("manager");
});
afterAll(() => shop?.stop());

test("somebody is found as the name is typed, and why they have their points is told", async () => {
  const page = await shop.open({ path: "/customers", role: "support" });
  await shop.look(page, "customers");
  await page.getByRole("searchbox").fill("山田");
  await page.getByRole("link", { name: /山田 花子/ }).waitFor();
  await page.getByText("Anna Lindqvist").waitFor({ state: "detached" });
  expect(page.url()).toContain("q=");
  await page.getByRole("link", { name: /山田 花子/ }).click();
  await page.getByRole("heading", { name: "山田 花子" }).waitFor();
  await shop.look(page, "customer");
  await page.getByRole("link", { name: "Why this many?" }).click();
  const panel = page.getByRole("dialog");
  await panel.getByText("You began with 0.").waitFor();
  await panel.getByText("You got 640 as a reward.").waitFor();
  await panel.getByText("Together that is 512.").waitFor();
  await shop.look(page, "customer-why");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await panel.getByRole("button", { name: "Copy as text" }).click();
  await panel.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toContain("You began with 0.\nYou got 640");
  await panel.locator("summary", { hasText: "What is left" }).click();
  await panel.getByText("of 640").waitFor();
  await panel.locator("summary", { hasText: "Points in and out" }).click();
  await shop.look(page, "customer-why-open");
  expect(page.url()).toMatch(/\/customers\/4820001\/why$/);
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: /−128/ }).getByRole("link").first().click();
  await page.getByRole("dialog").getByText("−128", { exact: false }).first().waitFor();
  await shop.look(page, "customer-allotment-why");
});

test("the account is told in Japanese and fits a telephone", async () => {
  const page = await shop.open({ path: "/customers/4820001/why", language: "ja", width: 360 });
  await page.getByRole("dialog").getByText("はじめは 0 ポイントでした。").waitFor();
  await page.locator("summary", { hasText: "残っているポイント" }).click();
  await shop.look(page, "customer-why-ja-360");
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("dialog").isVisible()).toBe(true);
  expect(await page.locator("#root").isVisible()).toBe(false); // paper has the account alone
  await page.emulateMedia({ media: "screen" });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
});

test("a statement of a period is chosen, fits a telephone and prints without what is around it", async () => {
  const page = await shop.open({ path: "/customers/4820001/why", colorScheme: "dark" });
  await page.getByRole("link", { name: "Statement of a period" }).click();
  await page.getByRole("heading", { name: "Statement of points" }).waitFor();
  await page.getByText("Balance at the end of 1 Mar 2026").waitFor();
  await shop.look(page, "statement");
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("article").getByText("花屋 Hanaya").isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: "Print or save as PDF" }).isVisible()).toBe(false);
  expect(await page.getByRole("link", { name: "Ledger" }).isVisible()).toBe(false);
  expect(await page.getByText("Movements").first().isVisible()).toBe(true);
  await page.screenshot({ path: "test-results/screenshots/statement-print.png", fullPage: true });
  const paper = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(1);
  expect(paper).toContain("BIZUDPGothic"); // the font of the store's name is in the file
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Last month" }).click();
  await page.getByText("No points moved in this period").waitFor();
  expect(page.url()).toContain("from=2026-02-01&until=2026-02-28");
  const small = await shop.open({ path: "/customers/4820001/statement", language: "ja", width: 360 });
  await small.getByText("増減の明細").first().waitFor();
  await shop.look(small, "statement-ja-360");
  expect(await small.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
});

test("a search counts what it found, and keeps the tier and the order that are chosen", async () => {
  const page = await shop.open({ path: "/customers", role: "support" });
  await page.getByLabel("Order").selectOption("Most points first");
  await page.getByRole("searchbox").fill("山田");
  await page.getByRole("status").getByText("2 customers found.").waitFor();
  await shop.look(page, "customers-found");
  expect(await page.getByLabel("Order").inputValue()).toBe("points");
  await page.getByLabel("Tier").selectOption("シルバー");
  await page.getByText("In this tier.", { exact: false }).waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("山田");
  await shop.look(page, "customers-found-none");
  const asked = new URL(page.url()).searchParams;
  await page.getByRole("button", { name: "New customer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(Object.fromEntries(asked));
  await shop.go(page, "/customers?tier=00000000-0000-4000-8000-000000000000"); // as a saved view of a tier that is gone
  const shown = page.getByLabel("Tier").locator("option:checked");
  expect(await shown.innerText()).toBe("A tier that was removed");
  await page.getByText("No customers in this tier").waitFor();
  await page.getByRole("main").getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByRole("table").waitFor();
  expect(await shown.innerText()).toBe("All tiers");
});

test("points are adjusted with their effect shown before, and undone from the toast", async () => {
  const page = await shop.open({ path: "/customers/4820003", role: "support" });
  await page.getByRole("button", { name: "Adjust points" }).click();
  const form = page.getByRole("dialog", { name: "Adjust points" });
  await form.getByRole("textbox", { name: "Points" }).fill("250");
  await form.getByLabel("Note").fill("Parcel came late");
  await form.getByRole("status").getByText("340").waitFor();
  await shop.look(page, "customer-adjust");
  await form.getByRole("button", { name: "Add points" }).click();
  await page.getByText("+250 points. The balance is 340.").waitFor();
  await page.getByRole("alert").hover(); // it stays for as long
  await page.getByRole("row", { name: /Parcel came late/ }).waitFor();
  await shop.look(page, "customer-adjusted");
  await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: −250 points. The balance is 90.").waitFor();
  await page.getByRole("row", { name: /Undoes an adjustment/ }).waitFor();
  await shop.look(page, "customer-undone");

  await page.getByRole("button", { name: "Adjust points" }).click();
  await form.getByRole("textbox", { name: "Points" }).fill("60");
  await form.getByRole("button", { name: "Add points" }).click();
  const offer = page.getByRole("alert").getByText("+60 points. The balance is 150.");
  await offer.hover(); // so that it would stay
  const row = page.getByRole("row", { name: /\+60/ });
  await row.getByRole("button", { name: /^Undo/ }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Undo" }).press("Enter");
  await page.getByText("Undone: −60 points. The balance is 90.").waitFor();
  await offer.waitFor({ state: "detached" });
});

test("above the limit another person approves it", async () => {
  const page = await shop.open({ path: "/customers/4820002/adjust", role: "support", language: "ja" });
  const form = page.getByRole("dialog", { name: "ポイントの調整" });
  await form.getByLabel("ポイント数").fill("5000");
  await form.getByText("別のスタッフの承認が必要です", { exact: false }).waitFor();
  await shop.look(page, "customer-adjust-ja");
  await form.getByRole("button", { name: "承認を依頼する" }).click();
  await page.getByText("承認待ちです", { exact: false }).waitFor();
  await shop.look(page, "customer-waiting-ja");

  const other = await shop.open({ path: "/approvals", role: "manager" });
  const { email } = await shop.as("support");
  await other.getByRole("cell", { name: email }).waitFor();
  await shop.look(other, "approvals");
  await other.getByRole("button", { name: "Approve" }).click();
  await other.getByRole("dialog").getByText("+5,000").waitFor();
  await shop.look(other, "approvals-dialog");
  await other.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await other.getByText("No requests are waiting").waitFor();
  await shop.go(other, "/approvals?list=decided");
  await other.getByText(/Approved by/).waitFor();
  await shop.look(other, "approvals-decided");
  const head = await (await shop.as("support")).get("/customers/4820002");
  expect(head.body.data.balance.available).toBe(5_000);
});

test("a list that takes too long says so, and leads to one that does not", async () => {
  const page = await shop.open({ path: "/customers", role: "support", language: "ja" });
  await page.getByRole("link", { name: /山田 花子/ }).waitFor();
  shop.expectStatus(page, 503);
  await shop.service.deps.db.tx(async (tx) => {
    await tx.execute("lock table balance in access exclusive mode");
    await page.getByLabel("並び順").selectOption({ label: "ポイントの多い順" });
    await page.getByText("一覧の表示に時間がかかりすぎています").waitFor();
  });
  await shop.look(page, "customers-too-long-ja");
  await page.getByRole("button", { name: "新しい順で表示" }).click();
  await page.getByRole("link", { name: /山田 花子/ }).waitFor();
});

test("a tier is placed by hand", async () => {
  const page = await shop.open({ path: "/customers/4820004/tier", role: "manager", language: "ja" });
  const form = page.getByRole("dialog", { name: "ランクの変更" });
  await form.getByLabel("会員ランク").selectOption({ label: "シルバー" });
  await form.getByLabel("最低ランク").selectOption({ label: "シルバー" });
  await shop.look(page, "customer-tier-ja");
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText("シルバーより下がらない").waitFor();
  await page.getByRole("link", { name: "ランク履歴" }).click();
  await page.getByRole("cell", { name: "手動" }).waitFor();
  await shop.look(page, "customer-tiers-ja");
});

test("in Japanese, narrow and dark", async () => {
  const dark = { role: "support", language: "ja", width: 360, colorScheme: "dark" } as const;
  const page = await shop.open({ path: "/customers", ...dark });
  await shop.look(page, "customers-ja-narrow");
  await shop.go(page, "/customers/4820001");
  await page.getByRole("heading", { name: "山田 花子" }).waitFor();
  await shop.look(page, "customer-ja-narrow");
  await shop.go(page, "/customers?q=zzz");
  await page.getByText("一致する会員は見つかりません", { exact: false }).waitFor();
  await shop.look(page, "customers-none-ja-narrow");
});

test("times are told by the service's clock where the browser's is wrong", async () => {
  const page = await shop.open({ path: "/glossary" });
  const { epochMilliseconds } = shop.service.clock.now();
  await page.clock.setFixedTime(epochMilliseconds - 3_600_000);
  await page.goto(`${shop.service.url}/admin/customers`);
  const row = page.getByRole("row", { name: /山田 花子/ });
  await row.getByText("now", { exact: true }).waitFor();
  shop.service.clock.advance({ minutes: 20 });
  await page.getByLabel("Order").selectOption("Most points first");
  await row.getByText("20 minutes ago").waitFor();
});

test("chosen customers are downloaded as a file", async () => {
  const page = await shop.open({ path: "/customers", language: "ja" });
  await page.getByRole("button", { name: "選択", exact: true }).click();
  await page.getByRole("button", { name: "このページをすべて選択" }).click();
  await shop.look(page, "customers-selection-ja");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSVをエクスポート" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^customers-\d{4}-\d{2}-\d{2}\.csv$/);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 14).toString("hex")).toBe(`efbbbf${Buffer.from("customer_id").toString("hex")}`);
});
