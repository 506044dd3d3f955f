import { afterAll, beforeAll, expect, test } from "vitest";
import { selectByStorefrontId } from "../../src/customers/customer-queries.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { yen } from "../support/explain.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({
    worker: false,
    now: "2026-03-20T01:00:00Z",
    program: { store: { name: "茶葉店", currency: "JPY", time_zone: "Asia/Tokyo" } },
  });
  const { deps, client, clock } = shop.service;
  await deps.db.tx((tx) =>
    upsertCustomer(tx, deps, { storefrontId: "71", name: "田中 美咲", email: "misaki@tea.example" }),
  );
  await deps.db.tx((tx) =>
    upsertCustomer(tx, deps, { storefrontId: "72", name: "Ken Sato", email: "ken@tea.example" }),
  );
  const order = {
    order_id: "5003",
    order_name: "#1003",
    customer_id: "71",
    processed_at: "2026-03-20T00:30:00Z",
    shop_currency: "JPY",
    lines: [{ line_id: "a", title: "Gyokuro", quantity: 2, unit_price: yen(2_400) }],
    fulfillments: [{ fulfillment_id: "F1", lines: [{ line_id: "a", quantity: 2 }] }],
  };
  await client.post("/intake/events", [{ type: "OrderPaid", occurred_at: "2026-03-20T00:30:00Z", payload: order }]);
  await processAllReceipts(deps);
  for (const [points, note] of [
    [500n, "お届けが遅れたお詫び"],
    [-120n, null],
    [300n, "Moved from the old system"],
  ] as const) {
    clock.advance({ hours: 5 });
    await deps.db.tx(async (tx) => {
      const customer = await selectByStorefrontId(tx, points === 300n ? "72" : "71");
      if (customer === undefined) throw new Error("the customer is not there");
      const change = { kind: "add", pointValue: points, shortfall: "refuse" } as const;
      const posting = { ...plainPosting(deps.random.uid(), "manual", "dashboard", change), note, actor: "鈴木 一郎" };
      await postAllotments(tx, deps, [{ customer, posting: { ...posting, reasonType: "compensation" } }]);
    });
  }
  clock.advance({ minutes: 20 });
});
afterAll(() => shop?.stop());

test("the ledger: filters stand in the address, a row opens why, its numbers lead on", async () => {
  const page = await shop.open({ path: "/ledger" });
  await expect.poll(() => page.locator("tbody tr").count()).toBe(4);
  await shop.look(page, "ledger");
  await page.getByRole("button", { name: "Type: All types" }).click();
  await page.getByRole("checkbox", { name: "Manual" }).check();
  await expect.poll(() => page.locator("tbody tr").count()).toBe(3);
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Direction" }).selectOption("spent");
  await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
  expect(new URL(page.url()).search).toBe("?type=manual&direction=spent");
  await page
    .getByRole("row")
    .nth(1)
    .getByRole("link")
    .first()
    .click({ position: { x: 24, y: 12 } });
  const panel = page.getByRole("dialog");
  await panel.getByRole("heading", { name: "Taken from" }).waitFor();
  await panel.getByRole("link", { name: "田中 美咲" }).waitFor();
  await shop.look(page, "ledger-why");
  await panel.getByRole("link", { name: "Manual · 20 Mar 2026" }).click();
  await panel.getByText("お届けが遅れたお詫び").first().waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/admin/ledger");
  expect(new URL(page.url()).search).toBe("?type=manual&direction=spent");
});

test("the ledger in Japanese, what a filter cannot mean, and nothing that fits", async () => {
  const page = await shop.open({ path: "/ledger?customer=71", language: "ja" });
  await expect.poll(() => page.locator("tbody tr").count()).toBe(3);
  await shop.look(page, "ledger-ja");
  await page
    .getByRole("row")
    .last()
    .getByRole("link")
    .first()
    .click({ position: { x: 24, y: 12 } });
  await page.getByRole("dialog").getByText("端数処理は注文ごとに一度").waitFor();
  await shop.look(page, "ledger-why-ja");
  await page.keyboard.press("Escape");
  shop.expectStatus(page, 422);
  await page.getByRole("textbox", { name: "会員IDまたはメール" }).fill("nobody");
  await page.keyboard.press("Enter");
  await page.getByText("登録されている会員のID").first().waitFor();
  await page.getByRole("textbox", { name: "会員IDまたはメール" }).fill("");
  await page.getByRole("textbox", { name: "ポイント下限" }).fill("9,999");
  await page.keyboard.press("Enter");
  await page.getByText("条件に合う履歴がありません").waitFor();
  expect(new URL(page.url()).searchParams.get("at_least")).toBe("9999");
  await shop.look(page, "ledger-nothing-ja");
  await page.getByRole("main").getByRole("button", { name: "条件をクリア" }).last().click();
  await expect.poll(() => page.locator("tbody tr").count()).toBe(4);
  expect(new URL(page.url()).search).toBe("");
  await shop.go(page, "/ledger?type=no_such");
  await page.getByRole("button", { name: "種別: 不明な種別" }).waitFor();
});

test("the file of what is shown, for support and above alone", async () => {
  const page = await shop.open({ path: "/ledger?type=manual", role: "support" });
  await page.getByRole("button", { name: "Export" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV for Excel" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("ledger-all-2026-03-21.csv");
  const viewer = await shop.open({ path: "/ledger", role: "viewer", width: 360, colorScheme: "dark" });
  expect(await viewer.getByRole("button", { name: "Export" }).count()).toBe(0);
  await shop.look(viewer, "ledger-narrow-dark");
});

test("in Japanese the words of a narrow list do not stand upright", async () => {
  const page = await shop.open({ path: "/ledger", language: "ja", width: 360 });
  const isOnOneLine = async (text: string) => {
    const box = await page.getByRole("cell", { name: text }).first().boundingBox();
    return box !== null && box.width > box.height;
  };
  expect(await isOnOneLine("注文付与")).toBe(true);
  expect(await isOnOneLine("手動調整")).toBe(true);
  await shop.look(page, "ledger-narrow-ja");
});
