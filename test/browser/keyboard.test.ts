import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { confirm, focused, press, tabTo, typeInto } from "./support/keys.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
  await makeCustomer(shop.service.deps, { email: "keys@example.com", name: "Kei Mori" });
});
afterAll(() => shop?.stop());

test("the ledger of a first day leads to an import, by the keyboard alone", async () => {
  const page = await shop.open({ path: "/ledger", role: "manager", language: "ja", width: 360 });
  await shop.look(page, "keyboard-ledger-empty-ja-360");
  await press(page, "ポイントをインポートする");
  await page.waitForURL(/\/csv\/imports\/new$/);
});

test("a customer is found, explained, and given points that are undone, by the keyboard alone", async () => {
  const page = await shop.open({ path: "/", role: "manager" });
  const panel = page.getByRole("dialog");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("kei");
  await page
    .getByRole("option", { name: /Kei Mori/ })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Kei Mori" }).waitFor();
  await shop.settle(page);

  await press(page, "Adjust points");
  await page.getByRole("dialog", { name: "Adjust points" }).waitFor();
  await typeInto(page, "Points", "250");
  await typeInto(page, "Note", "Parcel came late");
  await press(page, "Add points");
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Adjust points");

  await press(page, "Why this many?");
  await panel.waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Why this many?");

  await tabTo(page, page.locator("tbody a").first());
  await page.keyboard.press("Enter");
  await panel.getByText("Parcel came late").waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await press(page, page.getByRole("row").getByRole("button", { name: /^Undo/ }));
  await confirm(page, "Undo");
  await page.getByText(/^Undone:/).waitFor();
  await expect.poll(() => focused(page)).not.toBe("");
  await shop.look(page, "keyboard-undone");
});

test("a view is saved, renamed and opened, settings are saved, and the session is ended, by the keyboard alone", async () => {
  const page = await shop.open({ path: "/orders?state=waiting", role: "owner" });
  const dialog = page.getByRole("dialog");
  await press(page, "Views");
  await page.getByRole("menuitem", { name: "Save these filters…" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByRole("textbox", { name: "Name" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Waiting");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("Waiting");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
  await shop.settle(page); // a menu takes the focus twice, as a dialog does
  await page.keyboard.press("End");
  await page.getByRole("menuitem").last().and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await press(page, "Open this list with it: Waiting");
  await press(page, "Rename…: Waiting");
  const renaming = page.getByRole("dialog", { name: "Rename a view" });
  await renaming.getByRole("textbox", { name: "Name" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("For support");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Rename…: For support" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("For support");

  await shop.go(page, "/messages");
  await typeInto(page, "Messages per hour", "500");
  await page.keyboard.press("Enter");
  await page.getByText("Saved").waitFor();
  await press(page, page.getByRole("button", { name: /^owner/ }));
  await press(page, page.getByRole("button", { name: "Sign out", exact: true }));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
