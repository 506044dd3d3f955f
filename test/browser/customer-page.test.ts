import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { confirm, press, typeInto } from "./support/keys.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

const say = (patch: Parameters<typeof upsertCustomer>[2]) =>
  shop.service.deps.db.tx((tx) => upsertCustomer(tx, shop.service.deps, patch));
const isNoWiderThan = async (page: Page, width: number) =>
  expect(Number(await page.evaluate("document.documentElement.scrollWidth"))).toBeLessThanOrEqual(width);

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
  await say({ storefrontId: "1", name: "Hana Mori", email: "hana@example.jp", tags: ["vip"] });
  const profileAt = Temporal.Instant.from("2026-03-01T00:00:00Z");
  await say({ storefrontId: "2", name: "山田 太郎", email: "taro@example.jp", acceptsMarketing: true, profileAt });
});
afterAll(() => shop?.stop());

test("somebody in support edits a customer and is told what is wrong", async () => {
  const page = await shop.open({ role: "support", path: "/customers/1" });
  shop.expectStatus(page, 422);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Edit customer" });
  await form.getByLabel("Name").fill("Hana Sato");
  await form.getByLabel("Reading").fill("サトウ ハナ");
  const birthday = form.getByRole("group", { name: "Birthday" });
  await birthday.getByLabel("Year").fill("1990");
  await birthday.getByLabel("Month").selectOption("February");
  await birthday.getByLabel("Day").selectOption("30");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Choose a day and a month that exist", { exact: false }).waitFor();
  await shop.look(page, "customer-edit-fault-en");
  await birthday.getByLabel("Day").selectOption("28");
  await form.getByRole("textbox", { name: "Tags" }).fill("vip\n tea\n\n");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Hana Sato" }).waitFor();
  await page.getByText("tea, vip").waitFor();
  await page.getByText("サトウ ハナ", { exact: true }).waitFor();
  await page.getByText("28 Feb 1990").waitFor();
  await shop.look(page, "customer-edited-en");
  await page.close();
});

test("what the platform keeps is closed and says so, in Japanese on a phone", async () => {
  const page = await shop.open({ role: "support", language: "ja", path: "/customers/2/edit", width: 360 });
  const form = page.getByRole("dialog", { name: "会員情報を編集" });
  await form.getByLabel("氏名").waitFor();
  expect(await form.getByLabel("氏名").isDisabled()).toBe(true);
  const birthday = form.getByRole("group", { name: "誕生日" });
  expect(await birthday.isDisabled()).toBe(false);
  expect((await birthday.innerText()).match(/^(年|月|日)$/gm)).toEqual(["年", "月", "日"]);
  await shop.look(page, "customer-edit-ja-360");
  await isNoWiderThan(page, 360);
  await page.close();
});

test("a viewer is not offered to edit", async () => {
  const page = await shop.open({ role: "viewer", path: "/customers/1/edit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Edit", exact: true }).count()).toBe(0);
  await page.close();
});

test("somebody in support notes something, and takes it away again", async () => {
  const page = await shop.open({ role: "support", path: "/customers/1/notes" });
  await page.getByText("No notes yet").waitFor();
  await page.getByRole("textbox", { name: "Note" }).fill("Called about the parcel.\nSend a coupon next week.");
  await page.getByRole("button", { name: "Add note" }).dblclick();
  await page.getByRole("link", { name: "Notes (1)" }).waitFor();
  await page.getByText("Send a coupon next week.").waitFor();
  await shop.look(page, "customer-notes-en");
  const small = await shop.open({ role: "viewer", language: "ja", path: "/customers/1/notes", width: 360 });
  await small.getByText("Send a coupon next week.").waitFor();
  expect(await small.getByRole("button", { name: "メモを追加" }).count()).toBe(0);
  await shop.look(small, "customer-notes-ja-360");
  await isNoWiderThan(small, 360);
  await small.close();
  await page.getByRole("button", { name: /^Remove the note by/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No notes yet").waitFor();
  await page.close();
});

test("a customer is entered by hand, and who has the e-mail is shown before", async () => {
  const page = await shop.open({ role: "support", path: "/customers" });
  await page.getByRole("button", { name: "New customer" }).click();
  const form = page.getByRole("dialog", { name: "New customer" });
  await form.getByLabel("Name").fill("Till customer");
  await form.getByRole("textbox", { name: "E-mail" }).fill("taro@example.jp");
  await form.getByRole("link", { name: "山田 太郎" }).waitFor();
  await form.getByText("Without an id", { exact: false }).waitFor();
  await form.getByLabel("Id at the store's platform").fill("9001");
  await form.getByText("with this e-mail anyway", { exact: false }).waitFor();
  await shop.look(page, "customer-new-holder-en");
  await form.getByRole("textbox", { name: "E-mail" }).fill("till@example.com");
  await form.getByRole("link", { name: "山田 太郎" }).waitFor({ state: "detached" });
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Till customer" }).waitFor();
  expect(page.url()).toMatch(/\/customers\/9001$/);
  await page.close();
});

test("the form of a new customer fits a telephone, in Japanese", async () => {
  const page = await shop.open({ role: "support", language: "ja", path: "/customers?panel=new", width: 360 });
  shop.expectStatus(page, 422);
  const form = page.getByRole("dialog", { name: "会員を登録" });
  await form.getByRole("button", { name: "登録" }).click();
  await form.getByText("IDまたはメールアドレスを入力してください").waitFor();
  await shop.look(page, "customer-new-ja-360");
  await isNoWiderThan(page, 360);
  await page.close();
});

test("a manager merges two customers after seeing what comes of it, by the keyboard alone", async () => {
  const { client } = shop.service;
  await say({ storefrontId: "31", name: "Aki Ito", tags: ["vip"] });
  await say({ storefrontId: "32", name: "A. Ito", email: "aki@example.jp", birthday: "1985-05-05" });
  for (const [customer_id, point_value] of [
    ["31", 120],
    ["32", 80],
  ])
    await client.post("/api/storefront/point_allotments", { customer_id, point_value, reason: { type: "reward" } });
  const small = await shop.open({ language: "ja", path: "/customers/31/merge", width: 360 });
  await small.getByLabel("相手の会員のIDまたはメールアドレス").fill("32");
  await small.getByRole("button", { name: "結果を確認" }).click();
  await small.getByRole("columnheader", { name: "統合後" }).waitFor();
  await shop.look(small, "customer-merge-ja-360");
  await isNoWiderThan(small, 360);
  await small.close();
  const page = await shop.open({ path: "/customers/31" });
  await press(page, page.getByRole("link", { name: "Merge", exact: true }));
  const panel = page.getByRole("dialog", { name: "Merge another customer" });
  await panel.getByLabel("Id or e-mail").waitFor();
  await typeInto(page, "Id or e-mail", "aki@example.jp");
  await press(page, "Preview");
  await panel.getByRole("row", { name: /Points available 120 80 200/ }).waitFor();
  await shop.look(page, "customer-merge-en");
  await press(page, panel.getByRole("button", { name: "Merge" }));
  await page.getByRole("dialog", { name: "Merge these customers?" }).waitFor();
  await shop.look(page, "customer-merge-confirm-en");
  await confirm(page, "Merge");
  await page.getByText("A. Ito was merged into this customer").waitFor();
  await page.getByRole("region", { name: "Points available" }).getByText("200").waitFor();
  await page.getByRole("heading", { name: "Merged into this customer" }).waitFor();
  await page.getByRole("row", { name: /\+80.*Merged customer/ }).waitFor();
  await shop.look(page, "customer-merged-en");
  await page.close();
});

test("somebody in support is not offered a merge", async () => {
  const page = await shop.open({ role: "support", path: "/customers/1/merge" });
  await page.getByRole("link", { name: "Edit", exact: true }).waitFor();
  expect(await page.getByRole("link", { name: "Merge", exact: true }).count()).toBe(0);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.close();
});
