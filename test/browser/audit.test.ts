import { afterAll, beforeAll, expect, test } from "vitest";
import { applyProgram } from "../../src/program/apply-program.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false, program: { store: { name: "花屋", time_zone: "Asia/Tokyo" } } });
  const owner = await shop.as("owner");
  const { uid } = (await owner.post("/people", { email: "a@store.example", name: "佐藤", role: "viewer" })).body.data;
  await owner.put(`/people/${uid}`, { role: "support" });
  await applyProgram(shop.service.deps, {
    document: { rewards: { signup: 50, birthday: 500 }, expiration: { delay_months: 6 } },
    author: "Aiko",
    isDryRun: false,
  });
  await owner.post("/credentials", { name: "till", scopes: ["read"] });
  await shop.service.client.put("/api/storefront/customers/1001", { name: "山田花子" });
  await owner.post("/customers/1001/adjustments", {
    request_uid: "019ca8e7-6a1b-4c43-9d5e-3f0a52b1c884",
    point_value: 1_200,
    reason_type: "compensation",
    note: null,
    extends_expiration: false,
    origin: null,
  });
  const reading = { changes: { name_reading: "やまだはなこ" }, seen: { name_reading: null } };
  expect((await owner.put("/customers/1001/profile", reading)).status).toBe(200);
  expect((await owner.get("/orders.csv?q=1001&state=guest_sale")).status).toBe(200);
  expect((await owner.get("/intake/receipts.csv?subject=1001")).status).toBe(200);
});
afterAll(() => shop?.stop());

test("a manager finds who changed what, and reads the difference", async () => {
  const page = await shop.open({ path: "/audit" });
  await shop.look(page, "audit");
  await page.getByLabel("What").selectOption("Person changed");
  await page.waitForURL((url) => url.search === "?action=staff.changed");
  await page.getByRole("row", { name: /Person changed.*佐藤.*Viewer.*Support/ }).waitFor();
  await page
    .getByRole("row", { name: /Viewer.*Support/ })
    .getByRole("link")
    .first()
    .press("Enter");
  await page.getByRole("dialog", { name: "Person changed" }).getByText("Support").waitFor();
  await shop.look(page, "audit-entry");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?action=staff.changed");
  await page.getByLabel("From").fill("2030-01-01");
  await page.getByText("No entries", { exact: true }).waitFor();
  await shop.look(page, "audit-empty");
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/audit/choices", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${shop.service.url}/admin/audit?action=no.such&actor=019ca8e7-6a1b-4c43-9d5e-3f0a52b1c884`);
  const chosen = (label: string) => page.getByLabel(label).locator("option:checked").innerText();
  await expect.poll(() => chosen("Who")).toBe("…"); // nobody is called unknown before those who are known have been read
  answer();
  await expect.poll(() => chosen("Who")).toBe("Unknown");
  expect(await chosen("What")).toBe("Unknown");
});

test("an entry names its customer and whoever acted, and leads to them and to what was posted", async () => {
  const page = await shop.open({ path: "/audit?action=points.adjusted", role: "owner", colorScheme: "dark" });
  await page
    .getByRole("row", { name: /山田花子/ })
    .getByRole("link")
    .first()
    .press("Enter");
  const panel = page.getByRole("dialog", { name: "Points adjusted" });
  expect(await panel.getByRole("link", { name: "山田花子" }).getAttribute("href")).toBe("/admin/customers/1001");
  expect(await panel.getByRole("link", { name: /^owner/ }).getAttribute("href")).toMatch(
    /^\/admin\/people\/[0-9a-f-]{36}$/,
  );
  await shop.look(page, "audit-adjustment-dark");
  await panel.getByRole("link", { name: /^[0-9a-f-]{36}$/ }).click();
  await page.getByRole("dialog", { name: "Why: Manual" }).waitFor();
});

test("in Japanese, narrow and dark", async () => {
  const page = await shop.open({ path: "/audit?action=program.changed", language: "ja" });
  await page
    .getByRole("row", { name: /プログラム設定を変更/ })
    .first()
    .getByRole("link")
    .first()
    .click();
  await page.getByRole("dialog", { name: "プログラム設定を変更" }).getByText("rewards.birthday").waitFor();
  await shop.look(page, "audit-entry-ja");
  await page.keyboard.press("Escape");
  await shop.go(page, "/audit?action=customer.edited");
  await page.getByRole("row", { name: /会員情報を編集.*項目 フリガナ/ }).waitFor();
  await shop.go(page, "/audit?action=list.exported");
  await page.getByRole("row", { name: /一覧をエクスポート.*一覧 注文.*検索 指定あり.*ゲストの売上/ }).waitFor();
  await page.getByRole("row", { name: /一覧 受信データ.*注文IDまたは会員ID 指定あり/ }).waitFor();
  await shop.look(page, "audit-words-ja");
  const narrow = await shop.open({ path: "/audit", language: "ja", width: 360, colorScheme: "dark" });
  await shop.look(narrow, "audit-ja-narrow");
});
