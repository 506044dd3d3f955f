import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { endConfirmations } from "../support/staff.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// Dialogs with forms: what closes them, what asks first, and which of two Esc belongs to.
let shop: Dashboard;
beforeAll(async () => {
  shop = await startDashboard({ worker: false });
});
afterAll(() => shop?.stop());

const questionOf = (page: Page) => page.getByRole("dialog", { name: "Close without saving?" });

test("the button below a form asks like the one in the corner", async () => {
  const page = await shop.open({ path: "/people", role: "owner" });
  await page.getByRole("button", { name: "Invite a person" }).click();
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  await name.pressSequentially("Half a name");
  const cancels = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
  expect(await cancels.count()).toBe(2);
  for (const n of [0, 1]) {
    await cancels.nth(n).click();
    await questionOf(page).getByRole("button", { name: "Cancel" }).click();
    await questionOf(page).waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Half a name");
  }
  await name.fill("");
  await cancels.nth(1).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("so does the one below the form of a panel", async () => {
  const customer = await makeCustomer(shop.service.deps, { email: "panel@example.com" });
  const page = await shop.open({ path: "/customers?panel=new", role: "owner" });
  const forms = [
    ["/customers?panel=new", "Name"],
    [`/customers/${customer.storefrontId}/edit`, "Name"],
    [`/customers/${customer.storefrontId}/adjust`, "Note"],
  ] as const;
  for (const [path, field] of forms) {
    await shop.go(page, path);
    const box = page.getByRole("dialog").getByRole("textbox", { name: field });
    await box.pressSequentially("Half a");
    const cancel = page.getByRole("dialog").getByRole("button", { name: "Cancel" });
    await cancel.click();
    await questionOf(page).getByRole("button", { name: "Cancel" }).click();
    await questionOf(page).waitFor({ state: "detached" });
    expect(await box.inputValue(), path).toBe("Half a");
    await cancel.click();
    await questionOf(page).getByRole("button", { name: "Discard it" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
});

test("a step back that discards what was typed closes the dialog, also where the page stays", async () => {
  const page = await shop.open({ path: "/people", role: "owner" });
  await page
    .getByRole("row", { name: /owner\d+@/ })
    .getByRole("link")
    .first()
    .click();
  await page.waitForURL(/\/people\/[\w-]+$/);
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Invite a person" }).click();
  const form = page.getByRole("dialog", { name: "Invite a person" });
  await form.getByRole("textbox", { name: "Name" }).pressSequentially("Half a name");
  await page.evaluate("history.back()");
  await questionOf(page).getByRole("button", { name: "Discard it" }).click();
  await form.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toMatch(/\/people\/[\w-]+$/);
});

test("Esc in the confirmation of a person leaves the form below open", async () => {
  const page = await shop.open({ path: "/people", role: "owner" });
  await endConfirmations(shop.service);
  shop.expectStatus(page, 403);
  await page.getByRole("button", { name: "Invite a person" }).click();
  const form = page.getByRole("dialog", { name: "Invite a person" });
  await form.getByRole("textbox", { name: "Name" }).fill("Ann");
  await form.getByRole("textbox", { name: "E-mail" }).fill("ann@example.com");
  await form.locator("button[type=submit]").click();
  const confirmation = page.getByRole("dialog", { name: "Confirm it is you" });
  await confirmation.getByRole("textbox", { name: "Password" }).fill("x");
  await page.keyboard.press("Escape");
  await confirmation.waitFor({ state: "detached" });
  await shop.settle(page);
  expect(await questionOf(page).count()).toBe(0);
  expect(await form.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Ann");
  await page.keyboard.press("Escape"); // now it is the form's
  await questionOf(page).waitFor();
});

test("a view that is stored late does not close a dialog that was opened since", async () => {
  const page = await shop.open({ path: "/orders?state=pending" });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/views", async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  const openSave = async () => {
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save" }).click();
    return page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  };
  await (await openSave()).fill("Late");
  await page.getByRole("dialog").locator("button[type=submit]").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).first().click();
  await page.getByRole("button", { name: "Close anyway" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const next = await openSave();
  await next.fill("Another");
  const stored = page.waitForResponse((response) => response.request().method() === "POST");
  answer();
  await stored;
  await shop.settle(page);
  expect(await next.inputValue()).toBe("Another");
});
