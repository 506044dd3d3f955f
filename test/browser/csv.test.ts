import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upload } from "../support/csv.ts";
import { makeCustomer } from "../support/customers.ts";
import { shiftJis } from "../support/shift-jis.ts";
import { choose, confirm, focused, press, tabTo } from "./support/keys.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ now: "2026-03-10T01:00:00Z", program: { store: { name: "花と茶" } } });
  for (const n of [1, 2, 3]) {
    await makeCustomer(shop.service.deps, { storefrontId: `80${n}`, email: `customer${n}@example.com` });
  }
});
afterAll(() => shop.stop());

const POINTS = [
  "mail,amount,extend",
  "customer1@example.com,500,yes",
  "customer2@example.com,250,no",
  "nobody@example.com,100,no",
  "customer3@example.com,none,no",
  "customer3@example.com,-40,no",
].join("\r\n");

/** One that is known and changes, one that stays, one that is new, and one with a date that there is not. */
const CUSTOMERS = [
  "id,email,called,birthday,accepts marketing",
  "801,,佐藤 花,1988-04-12,yes",
  "802,customer2@example.com,,,",
  "804,new@example.com,Hanako Yamada,--04-12,no",
  "805,,Taro,1988-02-30,no",
].join("\n");

/** Its second row names no tier. */
const TIERS = shiftJis("メールアドレス,会員ランク\r\ncustomer1@example.com,0\r\ncustomer2@example.com,均\r\n");

test("a file of points: dropped, mapped, checked, imported, its errors listed, and undone", async () => {
  const page = await shop.open({ role: "manager", path: "/csv" });
  await shop.look(page, "csv-empty-en");
  await page.getByRole("button", { name: "New import" }).first().click();
  await page.locator("input[type=file]").waitFor({ state: "attached" });
  await shop.look(page, "csv-new-en");
  const file = { name: "points march.csv", mimeType: "text/csv", buffer: Buffer.from(POINTS) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByLabel("Column 2").selectOption({ label: "Points" });
  await page.getByLabel("Column 3").selectOption({ label: "Expiration extension" });
  await shop.look(page, "csv-settings-en");
  await page.getByRole("button", { name: "Check all rows" }).click();
  await page.getByText("Import the 3 valid rows").waitFor();
  await page.getByText("No customer has this e-mail address or id.").waitFor();
  await shop.look(page, "csv-checked-en");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download these rows" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^points march-\d{4}-\d{2}-\d{2}-faulty-rows\.csv$/);
  await page.getByRole("button", { name: "Import the 3 valid rows" }).click();
  await page.getByText("takes at most 40: a row that would take more than the balance takes nothing.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Import the 3 valid rows" }).click();
  await page.getByRole("button", { name: "Undo the import" }).waitFor();
  await page.getByText("The deduction was above the balance: nothing was taken.").waitFor();
  await shop.look(page, "csv-imported-en");
  await page.getByRole("button", { name: "Undo the import" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo the import" }).click();
  await page.getByText("Result of the undo").waitFor();
  await page.getByText("Points taken back").waitFor();
  await shop.look(page, "csv-undone-en");
});

test("会員ランクのファイル, in Shift_JIS, on a telephone", async () => {
  const page = await shop.open({ role: "manager", language: "ja", path: "/csv/imports/new?kind=tiers", width: 390 });
  const file = { name: "会員ランク.csv", mimeType: "text/csv", buffer: TIERS };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: "すべての行を確認" }).click();
  await page.getByRole("button", { name: "問題のない1行をインポートする" }).waitFor();
  await page.getByText("会員ランクは").waitFor();
  await shop.look(page, "csv-checked-ja");
  await page.getByRole("button", { name: "問題のない1行をインポートする" }).click();
  await page.getByRole("dialog").getByText("上がる会員は0人、下がる会員は0人、変わらない会員は1人です。").waitFor();
  await shop.look(page, "csv-start-tiers-ja");
  await page.getByRole("dialog").getByRole("button", { name: "問題のない1行をインポートする" }).click();
  await page.getByRole("button", { name: "インポートを取り消す" }).waitFor();
  await shop.look(page, "csv-imported-ja");
});

test("a file of customers: matched by id or e-mail, counted, imported and undone, by the keyboard alone", async () => {
  const page = await shop.open({ role: "manager", path: "/csv/imports/new" });
  await tabTo(page, page.getByRole("radio", { name: "Points" }));
  for (let n = 0; n < 2; n++) await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.getByRole("radio", { name: "Customers" }).isChecked()).toBe(true); // the address has it
  await shop.look(page, "csv-new-customers-en");
  const chooser = page.waitForEvent("filechooser");
  await press(page, "Choose a file");
  const file = { name: "customers.csv", mimeType: "text/csv", buffer: Buffer.from(CUSTOMERS) };
  await (await chooser).setFiles(file);
  await page.getByLabel("Column 3").waitFor();
  await expect.poll(() => focused(page)).not.toBe("");
  await choose(page, "Column 3", "Name");
  await press(page, page.getByRole("checkbox", { name: /Match by e-mail/ }), "Space");
  await shop.look(page, "csv-settings-customers-en");
  await page.keyboard.press("Space");
  await press(page, "Check all rows");
  await page.getByText("Expected a date that exists, as 1988-04-12").waitFor();
  await shop.look(page, "csv-checked-customers-en");
  await press(page, "Import the 3 valid rows");
  await page.getByRole("dialog").getByText("Creates 1 customer, updates 1.").waitFor();
  await confirm(page, "Import the 3 valid rows");
  await page.getByText("Customers created").waitFor();
  await shop.look(page, "csv-imported-customers-en");
  await press(page, "Undo the import");
  await page.getByRole("dialog").getByText("Customers the file created are removed").waitFor();
  await shop.look(page, "csv-undo-customers-en");
  await confirm(page, "Undo the import");
  await page.getByText("Result of the undo").waitFor();
  await page.getByText("Customers removed").waitFor();
  const japanese = await shop.open({
    role: "viewer",
    language: "ja",
    path: new URL(page.url()).pathname.slice(6),
    width: 390,
  });
  await japanese.getByText("削除した会員").waitFor();
  await shop.look(japanese, "csv-undone-customers-ja");
});

test("a statement is asked for, made and fetched; the same file again leads to where it is", async () => {
  const page = await shop.open({ role: "manager", language: "ja", path: "/csv/exports" });
  await page.getByLabel("開始日").fill("2026-03-01");
  await page.getByLabel("終了日（当日を含む）").fill("2026-03-31");
  await page.getByRole("button", { name: "明細を作成" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "ダウンロード" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("points-2026-03-01-2026-03-31.csv");
  await shop.look(page, "csv-exports-ja");
  const again = await shop.open({ role: "manager", path: "/csv/imports/new?kind=tiers", colorScheme: "dark" });
  shop.expectStatus(again, 409);
  const file = { name: "again.csv", mimeType: "text/csv", buffer: TIERS };
  await again.locator("input[type=file]").setInputFiles(file);
  await again.getByRole("link", { name: "Open that import" }).waitFor();
  await shop.look(again, "csv-same-dark");
  await again.getByRole("link", { name: "Open that import" }).click();
  await again.getByRole("heading", { name: "会員ランク.csv" }).waitFor();
  const list = await shop.open({ role: "viewer", language: "ja", path: "/csv" });
  await list.getByRole("link", { name: "points march.csv" }).waitFor();
  expect(await list.getByRole("button", { name: "新しいインポート" }).count()).toBe(0);
  await shop.look(list, "csv-list-ja");
});

test("a file above 512 MB is not sent: the page says how large one may be, and how to split it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pointkeeper-large-"));
  try {
    const path = join(folder, "orders.csv");
    await writeFile(path, "email,total\n");
    await truncate(path, 512 * 1_048_576 + 1); // has no blocks on the disk
    const page = await shop.open({ role: "manager", path: "/csv/imports/new?kind=spend" });
    await page.locator("input[type=file]").setInputFiles(path);
    await page.getByText("“orders.csv” has 513 MB: a file may have at most 512 MB.").waitFor();
    await page.getByText("print head > part").waitFor();
    await shop.look(page, "csv-too-large-en");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("an import is found by its file's name", async () => {
  const manager = await shop.as("manager");
  for (const name of ["birthday gifts.csv", "お詫び.csv"])
    await upload({ ...manager, url: shop.service.url }, `customer_id,points\n801,1\n${name},1\n`, { name });
  const page = await shop.open({ role: "manager", path: "/csv", language: "ja" });
  await page.getByRole("searchbox", { name: "ファイル名またはスタッフ" }).fill("GIFTS");
  await page.getByRole("link", { name: "お詫び.csv" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "birthday gifts.csv" }).waitFor();
  await shop.look(page, "csv-found-ja");
  await page.getByRole("searchbox").fill("no such file");
  await page.getByText("「no such file」に一致するインポートはありません").waitFor();
});
