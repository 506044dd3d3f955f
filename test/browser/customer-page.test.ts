import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
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
  await form.getByLabel("Birthday").fill("1990-02-30");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Expected a date that exists", { exact: false }).waitFor();
  await shop.look(page, "customer-edit-fault-en");
  await form.getByLabel("Birthday").fill("1990-02-28");
  await form.getByRole("combobox", { name: "Tags" }).fill("tea");
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Hana Sato" }).waitFor();
  await page.getByText("tea, vip").waitFor();
  await page.getByText("1990-02-28").waitFor();
  await shop.look(page, "customer-edited-en");
  await page.close();
});

test("what the platform keeps is closed and says so, in Japanese on a phone", async () => {
  const page = await shop.open({ role: "support", language: "ja", path: "/customers/2/edit", width: 360 });
  const form = page.getByRole("dialog", { name: "会員情報を編集" });
  await form.getByLabel("氏名").waitFor();
  expect(await form.getByLabel("氏名").isDisabled()).toBe(true);
  expect(await form.getByLabel("誕生日").isDisabled()).toBe(false);
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
  await page.getByRole("button", { name: "Add note" }).click();
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
