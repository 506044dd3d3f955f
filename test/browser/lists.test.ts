import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { upload } from "../support/csv.ts";
import { yen } from "../support/explain.ts";
import { fillLists } from "./support/fill-lists.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const LONG_NAME = "Wolfeschlegelsteinhausen".repeat(8);
/** What a page of A4 has between its margins. */
const PAPER_WIDTH = 718;

/** Lists by filters: the page, its file, and whether a view stores them. */
const OTHER_LISTS = [
  ["/approvals?list=decided", "/approvals.csv?list=decided", true],
  ["/results?kind=bonus", "/results.csv?kind=bonus", true],
  ["/mails?state=failed", "/mails.csv?state=failed", true],
  ["/csv?q=points", "/imports.csv?q=points", false],
] as const;

const COUNTED_LISTS = new Set(["/audit", "/intake", "/webhooks", "/mails?state=failed"]);

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false, now: "2026-03-20T01:00:00Z" });
  const { deps } = shop.service;
  await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId: "71", name: "田中 美咲" }));
  await placeOrder({ order_id: "5001", order_name: "#5001", customer_id: "71" });
  await placeOrder({ order_id: "5002", order_name: "#5002", customer_id: null, email: "guest@tea.example" });
});
afterAll(() => shop?.stop());

async function placeOrder(order: object, line: object = {}): Promise<void> {
  const { deps, client, clock } = shop.service;
  const now = clock.now().toString();
  const lines = [{ line_id: "a", title: "Sencha", quantity: 1, unit_price: yen(900), ...line }];
  const payload = { processed_at: now, shop_currency: "JPY", total: yen(900), lines, ...order };
  expect((await client.post("/intake/events", [{ type: "OrderPlaced", occurred_at: now, payload }])).status).toBe(202);
  await processAllReceipts(deps);
}

test("a manager saves the filters of a list, shares them, comes back to them and takes the file", async () => {
  const page = await shop.open({ path: "/orders", role: "manager" });
  await page.getByRole("combobox", { name: "State" }).selectOption("waiting");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save these filters…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save these filters as a view" });
  await dialog.getByLabel("Name").fill("Waiting for a customer");
  await dialog.getByRole("checkbox", { name: "Share with the store" }).check();
  await shop.look(page, "lists-save-view");
  await dialog.getByRole("button", { name: "Save view" }).click();
  await dialog.waitFor({ state: "detached" });

  const viewer = await shop.open({ path: "/orders?q=5001", role: "viewer" });
  await viewer.getByRole("button", { name: "Views" }).click();
  await viewer.getByRole("menuitem", { name: "Waiting for a customer" }).waitFor();
  await shop.look(viewer, "lists-views-menu");
  await viewer.getByRole("menuitem", { name: "Waiting for a customer" }).click();
  await viewer.getByRole("row", { name: /#5002/ }).waitFor();
  expect(viewer.url()).toMatch(/\/orders\?state=waiting$/);
  expect(await viewer.getByRole("button", { name: "Export" }).count()).toBe(0);

  await page.getByRole("button", { name: "Export" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
  const file = await readFile(await (await downloading).path(), "utf8");
  expect(file.split("\r\n").slice(1, -1)).toEqual([expect.stringMatching(/^5002,#5002,waiting,/)]);

  await page.getByRole("button", { name: "Waiting for a customer" }).click();
  await page.getByRole("menuitem", { name: "Manage views…" }).click();
  await shop.look(page, "lists-manage-views");
  await page.getByRole("button", { name: "Remove: Waiting for a customer" }).click();
  await page.getByText("No views").waitFor();
  await shop.go(page, "/audit");
  await page.getByRole("row", { name: /Shared view removed.*Waiting for a customer/ }).waitFor();
});

test("a shared view of somebody else is removed after a question, and one that was removed meanwhile leaves the list", async () => {
  const owner = await shop.as("owner");
  const view = { list: "orders", filters: { state: "waiting" }, is_shared: true };
  const uids: string[] = [];
  for (const name of ["First", "Second"]) {
    uids.push((await owner.post("/views", { ...view, name })).body.data.uid);
  }
  const page = await shop.open({ path: "/orders", role: "manager" });
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Manage views…" }).click();
  const remove = async (name: string) => {
    await page.getByRole("button", { name: `Remove: ${name}` }).click();
    await page.getByText(`Everybody who signs in loses the view ${name}.`).waitFor();
    await shop.look(page, `lists-remove-${name}`);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: `Remove: ${name}` }).waitFor({ state: "detached" });
  };
  await remove("First");
  expect((await owner.delete(`/views/${uids[1]}`)).status).toBe(200);
  shop.expectStatus(page, 404);
  await remove("Second");
  await page.getByText("No views").waitFor();
});

test("a person renames a view, replaces its filters, and opens the list with it from the navigation", async () => {
  const page = await shop.open({ path: "/orders", role: "support" });
  const support = await shop.as("support");
  const saved = { list: "orders", name: "Guests", filters: { state: "waiting" }, is_shared: true };
  const { uid } = (await support.post("/views", saved)).body.data;
  await shop.as("owner").then((owner) => owner.post("/views", { ...saved, name: "Owner's" }));
  await shop.settle(page);
  const manage = async () => {
    await page.getByRole("button", { name: /^(Views|Guests|Waiting)/ }).click();
    await page.getByRole("menuitem", { name: "Manage views…" }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Views of this list" });
  const name = page.getByRole("textbox", { name: "Name" });
  await page.getByRole("combobox", { name: "State" }).selectOption("pending");
  await manage();
  await page.getByRole("button", { name: "Rename…: Guests" }).click();
  await name.fill("Owner's");
  shop.expectStatus(page, 422);
  await page.keyboard.press("Enter");
  await page.getByText(/no other view of the list has/).waitFor();
  await shop.look(page, "lists-rename-view");
  await name.fill("Waiting");
  await page.keyboard.press("Enter");
  await dialog.getByText("Waiting · shared by").waitFor();
  await page.getByRole("button", { name: "Rename…: Waiting" }).and(page.locator(":focus")).waitFor();

  await page.getByRole("button", { name: "Replace with these filters…: Waiting" }).click();
  await page.getByText("for everybody who signs in").waitFor();
  await shop.look(page, "lists-replace-view");
  await page.getByRole("button", { name: "Replace filters" }).click();
  await page.getByRole("button", { name: "Replace with these filters…: Waiting" }).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Open this list with it: Waiting" }).click();
  await dialog.getByText("opens from the navigation").waitFor();
  await shop.look(page, "lists-manage-all");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const link = page.getByRole("navigation").getByRole("link", { name: "Orders" });
  await page.getByRole("button", { name: "Clear filters" }).click();
  await link.click();
  await page.waitForURL(/\/orders\?state=pending$/);

  expect((await support.put(`/views/${uid}`, { filters: { state: "waiting" } })).status).toBe(200);
  await page.reload();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Waiting" }).waitFor();
  await page.keyboard.press("Escape");
  await link.click();
  await page.waitForURL(/\/orders\?state=waiting$/);
  expect((await support.delete(`/views/${uid}`)).status).toBe(200);
  await page.reload();
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Owner's" }).waitFor();
  expect(await link.getAttribute("href")).toMatch(/\/orders$/);
});

test("a default view that one tab sets stays while another has older views, and the tabs do not alternate", async () => {
  const page = await shop.open({ path: "/audit", role: "manager" });
  const manager = await shop.as("manager");
  const save = async (name: string): Promise<string> =>
    (await manager.post("/views", { list: "audit", name, filters: { action: "view.saved" }, is_shared: false })).body
      .data.uid;
  const first = await save("First");
  const other = await page.context().newPage();
  await other.goto(`${shop.service.url}/admin/audit`);
  const open = async (tab: Page, name: string) => {
    await tab.getByRole("button", { name: /^(Views|First|Second)$/ }).click();
    await tab.getByRole("menuitem", { name }).waitFor();
  };
  await open(other, "First");
  await save("Second");
  await page.reload();
  await open(page, "Second");
  await page.getByRole("menuitem", { name: "Manage views…" }).click();
  const links = [page, other].map((tab) => tab.getByRole("navigation").getByRole("link", { name: "Audit" }));
  for (const name of ["Second", "First"]) {
    await page.getByRole("button", { name: `Open this list with it: ${name}` }).click();
    for (const link of links) await expect.poll(() => link.getAttribute("href")).toContain("?action=view.saved");
  }
  expect((await manager.put(`/views/${first}`, { filters: { action: "view.removed" } })).status).toBe(200);
  await page.reload();
  for (const link of links) await expect.poll(() => link.getAttribute("href")).toContain("?action=view.removed");
  let reads = 0;
  for (const tab of [page, other]) tab.on("request", (request) => void (/\/session$/.test(request.url()) && reads++));
  await page.waitForTimeout(500);
  expect(reads).toBe(0);
  for (const link of links) expect(await link.getAttribute("href")).toContain("?action=view.removed");
});

test("a default view follows the person to another computer, and one that a browser had stored is taken over once", async () => {
  const viewer = await shop.as("viewer");
  const save = async (name: string, filters: object): Promise<string> =>
    (await viewer.post("/views", { list: "ledger", name, filters, is_shared: false })).body.data.uid;
  const [taken, big] = [await save("Taken", { direction: "spent" }), await save("Big", { at_least: "9" })];
  const page = await shop.open({ path: "/", role: "viewer" });
  const key = `pointkeeper.default-views.${viewer.uid}`;
  const linkOf = (tab: Page) => tab.getByRole("navigation").getByRole("link", { name: "Ledger" });
  const store = async (uid: string) => {
    const text = JSON.stringify({ ledger: { uid, filters: {} }, orders: { uid: viewer.uid, filters: {} } });
    await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(text)})`);
    await page.reload();
  };
  shop.expectStatus(page, 404); // the view of the orders was removed
  await store(taken);
  await expect.poll(() => linkOf(page).getAttribute("href")).toMatch(/\/ledger\?direction=spent$/);
  await store(big); // of another browser, later: the service has one by now
  await expect.poll(() => page.evaluate(`localStorage.getItem(${JSON.stringify(key)})`)).toBe(null);
  const elsewhere = await shop.open({ path: "/", role: "viewer" });
  for (const tab of [page, elsewhere]) expect(await linkOf(tab).getAttribute("href")).toMatch(/\?direction=spent$/);
});

test("a viewer opens a list with a shared view and changes none, in Japanese on a telephone", async () => {
  const view = { list: "receipts", name: "未処理の受信データ", filters: { state: "waiting" }, is_shared: true };
  expect((await (await shop.as("owner")).post("/views", view)).status).toBe(200);
  const page = await shop.open({ path: "/intake", role: "viewer", language: "ja", width: 360 });
  await page.getByRole("button", { name: "ビュー" }).click();
  await page.getByRole("menuitem", { name: "ビューを管理…" }).click();
  await page.getByRole("button", { name: "この一覧を開くときに使う" }).click();
  await page.getByText("メニューからこのビューで開きます").waitFor();
  expect(await page.getByRole("dialog").getByRole("button").count()).toBe(2); // and the one that closes it
  await shop.look(page, "lists-manage-views-ja-360");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "メニューを開く" }).click();
  await page.getByRole("navigation").getByRole("link", { name: "受信データ" }).click();
  await page.waitForURL(/\/intake\?state=waiting$/);
  await page.getByRole("dialog").waitFor({ state: "detached" });

  shop.expectStatus(page, 422);
  await shop.go(page, "/orders?state=paid-out");
  const fault = page.getByRole("alert");
  await fault.getByText("使用できない絞り込み条件が含まれています").waitFor();
  expect(await fault.innerText()).not.toMatch(/waiting|pending/);
  await shop.look(page, "lists-unknown-filter-ja-360");
  await fault.getByRole("button", { name: "条件をクリア" }).click();
  await page.getByRole("row", { name: /#5002/ }).waitFor();
  expect(new URL(page.url()).search).toBe("");
});

test("a name of 192 letters without a space makes no list wider than the page", async () => {
  const { deps, client } = shop.service;
  await deps.db.tx((tx) => upsertCustomer(tx, deps, { storefrontId: "72", name: LONG_NAME }));
  await client.post("/api/storefront/point_allotments", { customer_id: "72", point_value: 123_456_789_012 });
  const manager = await shop.as("manager");
  await placeOrder({ order_id: "5009", order_name: LONG_NAME, customer_id: "72" }, { title: LONG_NAME });
  const filter = { tags: [LONG_NAME] };
  expect((await manager.post("/segments", { name: LONG_NAME, filter })).status).toBe(201);
  const uploader = { url: shop.service.url, cookie: manager.cookie };
  expect((await upload(uploader, "customer_id,points\n72,1\n", { name: `${LONG_NAME}.csv` })).status).toBe(201);
  const page = await shop.open({ path: "/account", role: "manager" });
  const width = () => page.evaluate("document.documentElement.scrollWidth");
  for (const path of ["/customers", "/ledger", "/orders", "/orders/5009", "/segments", "/csv"]) {
    await shop.go(page, path);
    await page
      .getByRole("row", { name: /Wolfeschlegel/ })
      .first()
      .waitFor();
    expect(await width(), path).toBeLessThanOrEqual(1_280);
    await shop.look(page, `lists-long-name${path.replaceAll("/", "-")}`);
  }
  await shop.go(page, "/customers");
  expect(await page.getByTitle(LONG_NAME).count()).toBe(1);
  await shop.go(page, "/ledger");
  await page
    .getByRole("row", { name: /Wolfeschlegel/ })
    .first()
    .waitFor();
  await page.setViewportSize({ width: PAPER_WIDTH, height: 800 });
  await page.emulateMedia({ media: "print" });
  await shop.look(page, "lists-long-name-printed"); // the width is not final before it is painted
  expect(await width()).toBeLessThanOrEqual(PAPER_WIDTH);
  expect(await page.locator("tbody time").first().innerText()).toBe("");
  expect(await page.evaluate("getComputedStyle(document.querySelector('tbody time'), '::after').content")).toMatch(
    /^"20 Mar 2026, 10:00:\d\d GMT\+9"$/,
  );
});

test("in Japanese on a telephone, every list has its views and its file, and says how many rows it has", async () => {
  await fillLists(shop.service);
  const page = await shop.open({ path: "/account", role: "manager", language: "ja", width: 360 });
  const total = page.getByRole("navigation", { name: "ページ" }).getByText(/^全\d+件$/);
  for (const path of ["/customers", "/orders", "/ledger", "/webhooks", "/audit", "/intake"]) {
    await shop.go(page, path);
    await page.getByRole("button", { name: "ビュー" }).waitFor();
    await page.getByRole("button", { name: "エクスポート" }).click();
    await page.getByRole("menuitem", { name: "Excel用CSV" }).waitFor();
    if (COUNTED_LISTS.has(path)) await total.waitFor();
    await shop.look(page, `lists-ja-360${path.replace("/", "-")}`);
  }
  for (const [path, file, hasViews] of OTHER_LISTS) {
    await shop.go(page, path);
    await page.getByRole("button", { name: "エクスポート" }).click();
    const link = page.getByRole("menuitem", { name: "CSV", exact: true });
    expect(await link.getAttribute("href")).toBe(`/admin/api${file}&encoding=utf-8`);
    expect(await page.getByRole("button", { name: "ビュー" }).count()).toBe(hasViews ? 1 : 0);
    if (COUNTED_LISTS.has(path)) await total.waitFor();
  }
});
