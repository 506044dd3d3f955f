import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// What was typed into a form, and is not sent yet, is not lost with the window unasked.
let shop: Dashboard;
let customer: string;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
  customer = (await makeCustomer(shop.service.deps, { email: "unsent@example.com" })).storefrontId;
});
afterAll(() => shop?.stop());

/** A form: its path, the button that opens it if it has no path of its own, and the field into which somebody types. */
const FORMS: readonly (readonly [path: string, button: string | null, field: string])[] = [
  ["/customers/ID/adjust", null, "Note"],
  ["/customers/ID/edit", null, "Name"],
  ["/customers/ID/merge", null, "Id or e-mail of the other customer"],
  ["/customers/ID/notes", null, "Note"],
  ["/customers?panel=new", null, "Name"],
  ["/segments/new", null, "Spend at least"],
  ["/messages", null, "Messages per hour, at most"],
  ["/messages/birthday", null, "Subject"],
  ["/webhooks/topic/point_balance.update", null, "Address"],
  ["/people", "Invite a person", "E-mail"],
  ["/credentials", "New credential", "Name"],
  ["/credentials", null, "Origin"],
  ["/alerts", null, "E-mail addresses"],
  ["/reports", null, "E-mail addresses"],
  ["/account", null, "Name"],
  ["/appearance", null, "Colour of buttons and links"],
  ["/liability", null, "Stand-alone price of a point"],
];

/** Whether the browser asks before the page is loaded anew. The answer is to stay. */
async function asksBeforeReload(page: Page): Promise<boolean> {
  const asked = page.waitForEvent("dialog", { timeout: 1_500 }).then(
    async (dialog) => {
      await dialog.dismiss();
      return true;
    },
    () => false,
  );
  await page.evaluate("void setTimeout(() => location.reload())");
  return asked;
}

test("the browser asks before it loses what was typed into any form", async () => {
  const page = await shop.open({ path: "/account", role: "owner" });
  for (const [path, button, field] of FORMS) {
    await shop.go(page, path.replace("ID", customer));
    if (button !== null) await page.getByRole("button", { name: button }).click();
    const box = page.getByRole("textbox", { name: field }).last();
    await box.press("End");
    await box.pressSequentially("7");
    expect(await asksBeforeReload(page), path).toBe(true);
    await box.press("Backspace");
  }
});

test("it does not ask about filters, about what was saved, nor at a download", async () => {
  const page = await shop.open({ path: "/customers", role: "manager" });
  await page.getByRole("searchbox").first().pressSequentially("unsent");
  expect(await asksBeforeReload(page)).toBe(false);
  await shop.go(page, "/account");
  await page.getByRole("textbox", { name: "Name" }).pressSequentially("!");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").first().waitFor();
  expect(await asksBeforeReload(page)).toBe(false);
  await shop.go(page, "/liability");
  const price = page.getByRole("textbox", { name: "Stand-alone price of a point" });
  await price.fill("1");
  await page.getByRole("textbox", { name: "Expected redemption in percent" }).fill("80");
  await page.getByRole("button", { name: "Set estimate" }).click();
  await page.getByRole("link", { name: "Journal entries (CSV)" }).waitFor();
  await price.fill("2");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Journal entries (CSV)" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  expect(await price.inputValue()).toBe("2");
});

test("another page is not opened before a question where a form of the page has text that was not sent", async () => {
  const page = await shop.open({ path: `/customers/${customer}/notes`, role: "owner" });
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("Wants a call");
  await page.getByRole("link", { name: "Orders" }).last().click();
  const home = page.getByRole("navigation").getByRole("link", { name: "Home" });
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.waitFor();
  await shop.look(page, "unsent-leave");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await note.inputValue()).toBe("Wants a call");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByRole("list", { name: "Notes" }).getByText("Wants a call").waitFor();
  expect(await asksBeforeReload(page)).toBe(false);
  await shop.settle(page);
  await page.getByRole("navigation").getByRole("link", { name: "Messages" }).click();
  await page.getByRole("textbox", { name: "Messages per hour, at most" }).fill("7");
  await page.getByRole("row", { name: /Birthday/ }).click();
  await page.getByRole("dialog", { name: "Birthday" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const path of ["/alerts", "/reports", "/account", "/appearance", "/liability"]) {
    await home.click();
    await question.getByRole("button", { name: "Leave" }).click();
    await question.waitFor({ state: "detached" });
    await shop.go(page, path);
    await page.locator("main form").locator("input[type=text], input:not([type]), textarea").first().fill("7");
  }
  await home.click();
  await question.waitFor();
});
