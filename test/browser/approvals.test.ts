import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { makeCustomer } from "../support/customers.ts";
import { waitUntil } from "../support/wait-until.ts";
import { confirm, press } from "./support/keys.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;
/** A path of many pictures, on a machine that does other things too. */
const PATIENCE_MS = 300_000;

beforeAll(async () => {
  shop = await startDashboard({
    now: "2026-03-10T01:00:00Z",
    program: {
      store: { name: "花と茶", currency: "JPY", time_zone: "Asia/Tokyo" },
      staff: { approval_limit: 1_000, daily_limit: 1_500 },
    },
  });
  for (const n of [1, 2, 3]) {
    await makeCustomer(shop.service.deps, { storefrontId: `90${n}`, email: `customer${n}@example.com` });
  }
});
afterAll(() => shop?.stop());

const inLanguage = (language: "en" | "ja", path: string) => shop.open({ path, role: "owner", language });

/** By the keyboard alone. */
async function approve(page: Page, row: RegExp, name: string): Promise<void> {
  const button = page.getByRole("row", { name: row }).getByRole("button", { name: "Approve" });
  await button.waitFor();
  await press(page, button);
  await page.getByRole("dialog").getByRole("button", { name: "Approve" }).waitFor();
  await shop.look(page, name);
  await confirm(page, "Approve");
  await page.getByText("Approved.").waitFor();
}

test("who is alone is told who could approve", async () => {
  const page = await inLanguage("en", "/approvals");
  await page.getByText("Nobody else can approve this now").waitFor();
  await page.getByText("more than 1,000 points of one customer within 24 hours").waitFor();
  await shop.look(page, "approvals-alone");
  const japanese = await inLanguage("ja", "/approvals");
  await japanese.getByText("承認できるスタッフがほかにいません").waitFor();
  await shop.look(japanese, "approvals-alone-ja");
});

test("a program that pays more is asked for, looked at and approved", { timeout: PATIENCE_MS }, async () => {
  await shop.as("manager");
  const page = await shop.open({ path: "/program/rewards" });
  await page.getByLabel("Points for signing up").fill("100,000");
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.getByText("These settings may pay more: Points for signing up.").waitFor();
  await page.getByText("1 other person can.").waitFor();
  await shop.look(page, "program-needs-approval");
  await page.getByRole("button", { name: "Request approval" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Request approval" }).click();
  await page.getByText("A second person can approve it now.").waitFor();
  await page.getByText("You requested it: someone else has to approve or refuse it").waitFor();

  const owner = await inLanguage("en", "/approvals");
  await owner.getByText("may pay more: Points for signing up").waitFor();
  await shop.look(owner, "approvals-program");
  await owner.getByRole("link", { name: "Program", exact: true }).last().click();
  await owner.getByRole("heading", { name: "A change that waits for approval" }).waitFor();
  await owner.getByRole("row", { name: /Points for signing up.*100,000/ }).waitFor();
  await shop.look(owner, "program-request");
  const japanese = await inLanguage(
    "ja",
    new URL(owner.url()).pathname.replace("/admin", "") + new URL(owner.url()).search,
  );
  await japanese.getByRole("heading", { name: "承認待ちの変更" }).waitFor();
  await shop.look(japanese, "program-request-ja");
  await owner.goBack();
  await approve(owner, /Points for signing up/, "approvals-program-dialog");
  // The page of the person who asked, and one in Japanese, have waited for it.
  await page.getByRole("heading", { name: "This change was approved" }).waitFor({ timeout: 30_000 });
  await page.getByText(/^owner/).waitFor();
  await shop.look(page, "program-request-approved");
  await japanese.getByRole("heading", { name: "この変更は承認されました" }).waitFor({ timeout: 30_000 });
  await shop.look(japanese, "program-request-approved-ja");
  await page.getByRole("link", { name: /^Version \d+ of the program$/ }).click();
  await page
    .getByRole("row", { name: /Current/ })
    .first()
    .waitFor();
  await shop.go(owner, "/program/versions");
  await owner.getByText(/^manager.*, approved by owner/).waitFor();
  await shop.look(owner, "program-versions-approved");
});

test("a file above the limit waits, is approved and imported", { timeout: PATIENCE_MS }, async () => {
  const manager = await shop.as("manager");
  const text = "id,points\n901,1200\n902,-5\n902,300\n";
  const sent = await upload({ url: shop.service.url, cookie: manager.cookie }, text, { name: "春のお詫び.csv" });
  const { uid } = sent.body.data;
  expect((await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data))).status).toBe(200);
  const stateOf = async () => (await manager.get(`/imports/${uid}`)).body.data.state;
  await waitUntil(async () => (await stateOf()) === "checked");
  const page = await shop.open({ path: `/csv/imports/${uid}` });
  await page.getByText("it moves more than 1,000 points of one customer").waitFor();
  await shop.look(page, "csv-needs-approval");
  await page.getByRole("button", { name: "Request approval to import" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Request approval to import" }).click();
  await page.getByText("requested this import. Nothing happens until").waitFor();
  await shop.look(page, "csv-waits");
  expect(await page.getByRole("button", { name: "Discard" }).count()).toBe(0);
  const japanese = await shop.open({ path: `/csv/imports/${uid}`, language: "ja" });
  await japanese.getByText("承認を依頼しています").waitFor();
  await shop.look(japanese, "csv-waits-ja");

  const list = await inLanguage("ja", "/approvals");
  await list.getByRole("link", { name: "春のお詫び.csv" }).waitFor();
  await shop.look(list, "approvals-import-ja");
  const owner = await inLanguage("en", "/approvals");
  await approve(owner, /春のお詫び/, "approvals-import-dialog");
  // The page of the person who asked has waited for it.
  await page.getByRole("button", { name: "Request approval to undo" }).waitFor({ timeout: 30_000 });
  await page.getByText("Approved by").waitFor();
  await waitUntil(async () => (await stateOf()) === "imported");
});

test("an adjustment above the limit of a day says so before it is sent", async () => {
  const manager = await shop.as("manager");
  const body = { request_uid: randomUUID(), point_value: 900 };
  expect((await manager.post("/customers/902/adjustments", body)).body.data.state).toBe("posted");
  const page = await shop.open({ path: "/customers/903/adjust" });
  const form = page.getByRole("dialog", { name: "Adjust points" });
  await form.getByRole("textbox", { name: "Points" }).fill("601");
  await form.getByText("Above the daily limit together with the 900 points").waitFor();
  await form.getByRole("button", { name: "Request approval" }).click();
  const owner = await inLanguage("en", "/approvals");
  await owner.getByText("after 900 moved for all customers in the last 24 hours").waitFor();
  await shop.look(owner, "approvals-day");
});

test("a file that is above the limit of a day by itself names no earlier points", async () => {
  const { url, client } = shop.service;
  const ids = ["904", "905", "906", "907"];
  for (const storefrontId of ids) await makeCustomer(shop.service.deps, { storefrontId });
  const owner = await shop.as("owner");
  const text = ["id,points", ...ids.map((id) => `${id},400`)].join("\n");
  const sent = await upload({ url, cookie: owner.cookie }, text, { name: "alone.csv" });
  const { uid } = sent.body.data;
  await owner.post(`/imports/${uid}/check`, settingsOf(sent.body.data));
  await waitUntil(async () => (await owner.get(`/imports/${uid}`)).body.data.state === "checked");
  expect((await owner.post(`/imports/${uid}/start`)).body.data.waiting).not.toBeNull();
  const page = await inLanguage("en", "/approvals");
  await page.getByRole("row", { name: /alone\.csv/ }).waitFor();
  expect(await page.getByText("after 0 moved").count()).toBe(0);
  expect((await client.get("/api/storefront/point_balances/904")).body.data.point_balance).toBe(0);
});

test("a merge of more points than one person may move waits, is looked at and approved", {
  timeout: PATIENCE_MS,
}, async () => {
  const { client, deps } = shop.service;
  await makeCustomer(deps, { storefrontId: "911", email: "kept@example.com" });
  await makeCustomer(deps, { storefrontId: "912", email: "part@example.com" });
  const award = { customer_id: "912", point_value: 1_400 };
  expect((await client.post("/api/storefront/point_allotments", award)).status).toBe(200);
  const unit_price = { minor: 140_000, currency: "JPY" };
  const unpaid = { order_id: "merge-1", customer_id: "931", lines: [{ line_id: "1", quantity: 1, unit_price }] };
  const placed = { type: "OrderPlaced", payload: { ...unpaid, processed_at: "2026-03-10T00:00:00Z" } };
  expect((await client.post("/intake/events", placed)).status).toBe(202);
  await processAllReceipts(deps);
  const page = await shop.open({ path: "/customers/911/merge" });
  const panel = page.getByRole("dialog", { name: "Merge another customer" });
  await panel.getByLabel("Id or e-mail").fill("931");
  await panel.getByRole("button", { name: "Preview" }).click();
  await panel.getByText("lead to 1,400 points, 1,400 of them from orders that have not awarded them yet").waitFor();
  await shop.look(page, "customer-merge-open-orders");
  await panel.getByLabel("Id or e-mail").fill("912");
  await panel.getByRole("button", { name: "Preview" }).click();
  await panel.getByText(/points would move, more than you may move alone/).waitFor();
  await shop.look(page, "customer-merge-needs-approval");
  await panel.getByRole("button", { name: "Request approval" }).click();
  const question = page.getByRole("dialog", { name: "Request approval of this merge?" });
  await question.getByRole("button", { name: "Request approval" }).click();
  await page.getByText("A second person has to approve the merge").waitFor();
  const gone = await inLanguage("en", "/customers/912");
  await gone.getByText("The merge of this customer into 911, requested by").waitFor();
  const japanese = await inLanguage("ja", "/approvals");
  await japanese.getByText("912をこの会員に統合").waitFor();
  await shop.look(japanese, "approvals-merge-ja");
  const owner = await inLanguage("en", "/approvals");
  await owner.getByText("1,400 count towards the limit").waitFor();
  await approve(owner, /912 becomes part of this customer/, "approvals-merge-dialog");
  for (const id of ["911", "912"]) {
    const { body } = await client.get(`/api/storefront/point_balances/${id}`);
    expect(body.data.point_balance).toBe(1_400);
  }
});

test("a merge into a customer with many points says why a second person is needed", async () => {
  const { client, deps } = shop.service;
  for (const storefrontId of ["913", "914"]) await makeCustomer(deps, { storefrontId });
  for (const [customer_id, point_value] of [
    ["913", 1_400],
    ["914", 1],
  ])
    expect((await client.post("/api/storefront/point_allotments", { customer_id, point_value })).status).toBe(200);
  const page = await shop.open({ path: "/customers/913/merge" });
  const panel = page.getByRole("dialog", { name: "Merge another customer" });
  await panel.getByLabel("Id or e-mail").fill("914");
  await panel.getByRole("button", { name: "Preview" }).click();
  await panel.getByText(/^1 point would move\. .* the points of this customer too: 1,400, more than/).waitFor();
  await shop.look(page, "customer-merge-into-many-points");
  await panel.getByRole("button", { name: "Request approval" }).waitFor();
});

test("an approval that is answered late closes no dialog that was opened since", async () => {
  const manager = await shop.as("manager");
  for (const n of [1, 2]) {
    await makeCustomer(shop.service.deps, { storefrontId: `92${n}`, email: `late${n}@example.com` });
    const body = { request_uid: randomUUID(), point_value: 1_200 };
    expect((await manager.post(`/customers/92${n}/adjustments`, body)).body.data.state).toBe("waiting");
  }
  const page = await inLanguage("en", "/approvals");
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/approvals/*/approve", async (route) => {
    await promise;
    await route.continue();
  });
  const dialog = page.getByRole("dialog");
  await page
    .getByRole("row", { name: /late1@/ })
    .getByRole("button", { name: "Approve" })
    .click();
  await dialog.getByRole("button", { name: "Approve" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).last().click();
  await dialog.waitFor({ state: "detached" });
  await page
    .getByRole("row", { name: /late2@/ })
    .getByRole("button", { name: "Refuse" })
    .click();
  await dialog.getByRole("textbox").fill("Ask her first");
  answer();
  await page.getByText("Approved.").waitFor();
  await shop.settle(page);
  expect(await dialog.getByRole("textbox").inputValue()).toBe("Ask her first");
});

test("whoever decides a campaign sees what it would give, and who would earn less", async () => {
  const manager = await shop.as("manager");
  const { version } = (await manager.get("/program")).body.data;
  const campaign = {
    name: "Spring",
    starts_at: "2026-04-01T00:00:00Z",
    ends_at: "2026-04-08T00:00:00Z",
    point_value: 2,
  };
  const rules = [
    { name: "Bronze", default: true, currency_spent_requirement: 0 },
    { name: "Gold", currency_spent_requirement: 50_000, point_value: 3 },
  ];
  const change = { document: { tiers: { rules }, campaigns: [campaign] }, base_version: version };
  const { body } = await manager.post("/program", change);
  const owner = await inLanguage("en", `/program/request?uid=${body.data.request_uid}`);
  await owner.getByRole("heading", { name: "What “Spring” would give" }).waitFor();
  await owner.getByText("No orders came from").waitFor();
  await owner.getByText("Gold earns less").waitFor();
  await shop.look(owner, "program-request-campaign");
});
