import { afterAll, beforeAll, expect, test } from "vitest";
import { applyProgram } from "../../src/shop/apply-program.ts";
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
});
afterAll(() => shop?.stop());

test("a manager finds who changed what, and reads the difference", async () => {
  const page = await shop.open({ path: "/audit" });
  await shop.look(page, "audit");
  await page.getByLabel("What").selectOption("Person changed");
  await page.getByRole("row", { name: /Person changed.*佐藤.*viewer.*support/ }).waitFor();
  expect(new URL(page.url()).search).toBe("?action=staff.changed");
  await page
    .getByRole("row", { name: /viewer.*support/ })
    .getByRole("link")
    .first()
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Person changed" }).getByText("support").waitFor();
  await shop.look(page, "audit-entry");
  await page.keyboard.press("Escape");
  expect(new URL(page.url()).search).toBe("?action=staff.changed");
  await page.getByLabel("From").fill("2030-01-01");
  await page.getByText("Nothing matches").waitFor();
  await shop.look(page, "audit-empty");
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
  const narrow = await shop.open({ path: "/audit", language: "ja", width: 360, colorScheme: "dark" });
  await shop.look(narrow, "audit-ja-narrow");
});
