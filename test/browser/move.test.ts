import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const VENDORS = join(import.meta.dirname, "../fixtures/vendors");
const POINTS = "/api/storefront/point_balances";

let shop: Dashboard;
beforeAll(async () => {
  const rules = [
    { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
    { name: "Gold", default: false, currency_spent_requirement: 200_000, point_value: 3, currency_value: 100 },
  ];
  const program = { store: { name: "花と茶", time_zone: "Asia/Tokyo" }, tiers: { rules } };
  shop = await startDashboard({ now: "2026-03-10T01:00:00Z", program });
  await makeCustomer(shop.service.deps, { storefrontId: "7001", email: "known@example.com" });
});
afterAll(() => shop?.stop());

const fileOf = async (name: string, as = `${name}.csv`) => ({
  ...{ name: as, mimeType: "text/csv" },
  buffer: await readFile(join(VENDORS, `${name}.csv`)),
});
const balanceOf = async (id: string) => (await shop.service.client.get(`${POINTS}/${id}`)).body.data?.point_balance;

test("a file of LoyaltyLion: recognised, its mapping confirmed, its sums shown, brought in and undone as a whole", async () => {
  const page = await shop.open({ role: "manager", path: "/csv/imports/new?kind=move" });
  await shop.look(page, "move-new-en");
  await page.locator("input[type=file]").setInputFiles(await fileOf("loyaltylion", "members.csv"));
  await page.getByText("The column names are those of LoyaltyLion.", { exact: false }).waitFor();
  expect(await page.getByLabel("Column 5").inputValue()).toBe("points");
  expect(await page.getByLabel("Column 6").inputValue()).toBe("");
  await shop.look(page, "move-settings-en");
  await page.getByRole("button", { name: "Check all rows" }).click();
  await page.getByRole("heading", { name: "Compare with the other app" }).waitFor();
  await page.getByRole("cell", { name: "March 2031" }).waitFor();
  await shop.look(page, "move-checked-en");
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  await page.getByRole("dialog").getByText("1,420 points come in", { exact: false }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Import 3 rows" }).click();
  await page.getByRole("button", { name: "Undo the import" }).waitFor();
  await page.getByRole("heading", { name: "What it consists of" }).waitFor();
  expect([await balanceOf("7001"), await balanceOf("7002")]).toEqual([120, 1_300]);
  await shop.look(page, "move-imported-en");
  await page.getByRole("button", { name: "Undo the import" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo the import" }).click();
  await page.getByText("Result of the undo").waitFor();
  // an id of the platform stays: a customer who is deleted could not come back under it
  expect([await balanceOf("7001"), await balanceOf("7002"), await balanceOf("none@example.com")]).toEqual([
    0,
    0,
    undefined,
  ]);
  await page.getByText("These rows are on the pages of the imports that it consists of").waitFor();
  await shop.look(page, "move-undone-en");
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download these rows" }).click();
  const left = await readFile(await (await started).path(), "utf8");
  expect(left.split("\r\n").slice(0, 2)).toEqual([
    "\uFEFFImport,Customer id,E-mail,Code,What is wrong",
    expect.stringContaining(',7002,new@example.com,customer_changed_since,"The customer was changed since'),
  ]);
  await page.getByRole("link", { name: "Customers", exact: true }).last().click();
  await page.getByText("The customer was changed since, or has allotments").first().waitFor();
});

const saved = (name: string, lines: readonly string[]) => ({
  ...{ name, mimeType: "text/csv" },
  buffer: Buffer.from(`\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`),
});

test("the same members in another file: it is said, their rows are left out, and a box gives the points again", async () => {
  const page = await shop.open({ role: "manager", path: "/csv/imports/new?kind=move" });
  const lines = ["email,name,points_approved", "again@example.com,Again,40", "both@example.com,Both,60"];
  await page.locator("input[type=file]").setInputFiles(saved("first.csv", lines));
  await page.getByRole("button", { name: "Check all rows" }).click();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByRole("button", { name: "Undo the import" }).waitFor();

  await shop.go(page, "/csv/imports/new?kind=move");
  const more = [lines[0] ?? "", lines[2] ?? "", lines[1] ?? "", "new@example.com,New,5"];
  await page.locator("input[type=file]").setInputFiles(saved("second.csv", more));
  await page.getByRole("button", { name: "Check all rows" }).click();
  await page
    .getByText("2 of these customers already received points from an earlier file of LoyaltyLion", { exact: false })
    .waitFor();
  await page.getByRole("button", { name: "Import the valid row" }).waitFor();
  await shop.look(page, "move-again-en");
  await page.getByRole("button", { name: "Change settings" }).click();
  await page.getByLabel("Also give points to customers", { exact: false }).check();
  await shop.look(page, "move-again-settings-en");
  await page.getByRole("button", { name: "Check all rows" }).click();
  await page.getByText("They get the points of this file as well.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Import 3 rows" }).waitFor();
  const ja = await shop.open({
    role: "manager",
    language: "ja",
    path: new URL(page.url()).pathname.replace("/admin", ""),
    width: 360,
  });
  await ja.getByText("すでにポイントを受け取っています", { exact: false }).waitFor();
  await shop.look(ja, "move-again-ja-360");
  const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  expect(await ja.evaluate(isWide)).toBe(false);
});

test("日本語の画面: a mapping that is corrected by hand, on a telephone", async () => {
  const page = await shop.open({ role: "manager", language: "ja", path: "/csv/imports/new?kind=move", width: 360 });
  const file = { name: "会員.csv", mimeType: "text/csv", buffer: Buffer.from("mail,残り\nhanako@example.jp,50\n") };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText("列名からアプリを判断できません", { exact: false }).waitFor();
  const check = page.getByRole("button", { name: "すべての行を確認" });
  expect(await check.isDisabled()).toBe(true);
  await page.getByLabel("どのアプリのファイルですか？").selectOption({ label: "easyPoints" });
  await page.getByLabel("1列目").selectOption({ label: "メールアドレス" });
  await page.getByLabel("2列目").selectOption({ label: "ポイント" });
  await shop.look(page, "move-settings-ja-360");
  await check.click();
  await page.getByRole("heading", { name: "移行元アプリとの照合" }).waitFor();
  await shop.look(page, "move-checked-ja-360");
  const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  expect(await page.evaluate(isWide)).toBe(false);
});
