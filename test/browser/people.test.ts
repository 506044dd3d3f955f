import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false, program: { store: { name: "花屋 Hanaya", time_zone: "Asia/Tokyo" } } });
  for (const role of ["viewer", "support", "manager"] as const) await shop.as(role);
});
afterAll(() => shop?.stop());

test("an owner invites somebody, changes the role and disables them", async () => {
  const page = await shop.open({ path: "/people", role: "owner" });
  await page.getByRole("button", { name: "Invite a person" }).click();
  await page.getByLabel("Name").fill("山田 花子");
  await page.getByLabel("E-mail").fill("not an address@");
  await page.getByLabel("E-mail").fill("hanako@store.example");
  await shop.look(page, "people-invite");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = await page.getByText(/\/admin\/invitation#[\w-]{43}$/).textContent();
  expect(link).not.toBeNull();
  await shop.look(page, "people-link");
  await page.getByRole("button", { name: "I have passed it on" }).click();

  await page.getByRole("link", { name: "山田 花子" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^\d+ \w+ \d{4}, \d\d:\d\d$/) // until when the link works
    .waitFor();
  await page.getByRole("dialog").getByRole("radio", { name: "Manager" }).check();
  await page.getByRole("button", { name: "Change role" }).click();
  await page.getByText("山田 花子 is Manager now").waitFor();
  await shop.look(page, "people-panel");
  expect(new URL(page.url()).pathname).toMatch(/^\/admin\/people\/[0-9a-f-]{36}$/);
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog", { name: "Disable" }).getByRole("button", { name: "Disable" }).click();
  await page.getByText("山田 花子 is disabled").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("山田 花子 can sign in again").waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog", { name: "Disable" }).getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Enable" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("row", { name: /山田 花子.*Manager.*Disabled/ }).waitFor();
  await shop.look(page, "people");
});

test("in Japanese, narrow and dark", async () => {
  const page = await shop.open({ path: "/people", role: "owner", language: "ja", width: 360, colorScheme: "dark" });
  await page.getByRole("heading", { name: "スタッフ" }).waitFor();
  await shop.look(page, "people-ja-narrow");
});
