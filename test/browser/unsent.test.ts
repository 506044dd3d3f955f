import type { Dialog, Page } from "playwright-core";
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
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onDialog = (dialog: Dialog) => void dialog.dismiss().then(() => resolve(true));
  const onLoad = () => resolve(false);
  page.on("dialog", onDialog).on("load", onLoad);
  await page.evaluate("void setTimeout(() => location.reload())");
  const isAsked = await promise;
  page.off("dialog", onDialog).off("load", onLoad);
  if (!isAsked) await shop.settle(page);
  return isAsked;
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

/** Follows a link to Home, and returns whether a question comes first. The answer is to stay. */
async function asksBeforeHome(page: Page): Promise<boolean> {
  await page.getByRole("navigation").getByRole("link", { name: "Home" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const isHome = page.waitForURL(/\/admin\/?$/).then(() => false);
  const isAsked = await Promise.race([isHome, question.waitFor().then(() => true)]);
  void isHome.catch(() => undefined);
  if (!isAsked) return false;
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  return true;
}

test("what was sent and refused is asked about, until the stored text is shown in its place", async () => {
  const page = await shop.open({ path: `/customers/${customer}/notes`, role: "owner" });
  shop.expectStatus(page, 409, 422, 503);
  const refuse = (path: string) =>
    page.route(path, (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 503, body: "" }) : route.continue(),
    );
  await refuse("**/customers/*/notes");
  await page.getByRole("textbox", { name: "Note" }).fill("Wants a call");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByRole("alert").first().waitFor();
  expect(await asksBeforeReload(page)).toBe(true);
  expect(await asksBeforeHome(page)).toBe(true);

  await shop.go(page, "/people");
  await refuse("**/api/people");
  await page.getByRole("button", { name: "Invite a person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Ann");
  await dialog.getByRole("textbox", { name: "E-mail" }).fill("ann@example.com");
  await dialog.locator("button[type=submit]").click();
  await page.getByRole("alert").first().waitFor();
  expect(await asksBeforeReload(page)).toBe(true);

  await shop.go(page, "/alerts");
  const addresses = page.getByRole("textbox", { name: "E-mail addresses" });
  await addresses.fill("nowhere");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  expect(await asksBeforeHome(page)).toBe(true);
  const owner = await shop.as("owner");
  const { revision, is_on, kinds, language, grant_percent } = (await owner.get("/alerts")).body.data;
  const other = { is_on, kinds, language, grant_percent, addresses: ["other@example.com"], revision };
  expect((await owner.put("/alerts", other)).status).toBe(200);
  await addresses.fill("mine@example.com");
  await page.getByRole("button", { name: "Save" }).click();
  const showStored = page.getByRole("button", { name: "Show what is stored" });
  await showStored.waitFor();
  expect(await asksBeforeHome(page)).toBe(true);
  await showStored.click();
  expect(await addresses.inputValue()).toBe("other@example.com");
  expect(await asksBeforeReload(page)).toBe(false);
  expect(await asksBeforeHome(page)).toBe(false);
});

test("only what a person has typed since the last save is asked about", async () => {
  const page = await shop.open({ path: `/customers/${customer}/notes`, role: "owner" });
  const hold = async (path: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(path, (route) => promise.then(() => route.continue()));
    return resolve;
  };
  const sendNote = await hold("**/customers/*/notes");
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("Called back");
  await page.getByRole("button", { name: "Add note" }).click();
  await note.focus();
  sendNote();
  await page.getByRole("list", { name: "Notes" }).getByText("Called back").waitFor();
  expect(await asksBeforeReload(page)).toBe(false);
  expect(await asksBeforeHome(page)).toBe(false);

  await shop.go(page, "/account");
  const name = page.getByRole("textbox", { name: "Name" });
  await name.evaluate(`(field) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "Filled in by the browser");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }`);
  expect(await asksBeforeReload(page)).toBe(false);
  const sendName = await hold("**/account");
  const saved = page.getByText("Saved").first();
  await name.fill("Olive");
  await name.press("Enter");
  await name.press("End");
  await name.pressSequentially("r");
  sendName();
  await saved.waitFor();
  expect(await asksBeforeReload(page)).toBe(true);
  await name.press("Backspace");
  expect(await asksBeforeReload(page)).toBe(false);
  await name.press("End");
  await name.pressSequentially("x");
  expect(await asksBeforeHome(page)).toBe(true);
  await name.press("End");
  await name.press("Backspace");
  expect(await asksBeforeHome(page)).toBe(false);
});

test("a browser's steps back and forward while a question is open lead nowhere else", async () => {
  const page = await shop.open({ path: "/orders", role: "owner" });
  await page.getByRole("navigation").getByRole("link", { name: "Alerts" }).click();
  await page.getByRole("textbox", { name: "E-mail addresses" }).fill("me@example.com");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.evaluate("history.back()");
  await question.waitFor();
  await page.evaluate("history.forward()");
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/admin/alerts");
  await page.evaluate("history.back()");
  await question.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(/\/admin\/orders$/);
  await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
});

test("a segment's form is asked about while it differs from what is stored", async () => {
  const owner = await shop.as("owner");
  const { uid, revision } = (await owner.post("/segments", { name: "Big", filter: { points_min: 5 } })).body.data;
  const page = await shop.open({ path: `/segments/${uid}?panel=edit`, role: "owner" });
  shop.expectStatus(page, 409);
  const panel = page.getByRole("dialog", { name: "Edit segment" });
  const question = page.getByRole("dialog", { name: "Close without saving?" });
  await panel.getByLabel("Birthday in month").selectOption("3");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  const changed = await owner.put(`/segments/${uid}`, { name: "Bigger", filter: { points_min: 6 }, revision });
  expect(changed.status).toBe(200);
  await panel.getByRole("textbox", { name: "Name" }).fill("Biggest");
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByRole("button", { name: "Show what is stored" }).click();
  expect(await panel.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Bigger");
  expect(await asksBeforeReload(page)).toBe(false);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(await question.count()).toBe(0);
});

test("a file that is refused leaves the page and its text as they are", async () => {
  const page = await shop.open({ path: "/liability", role: "owner" });
  const price = page.getByRole("textbox", { name: "Stand-alone price of a point" });
  await price.fill("1");
  await page.getByRole("textbox", { name: "Expected redemption in percent" }).fill("80");
  await page.getByRole("button", { name: "Set estimate" }).click();
  await page.getByRole("link", { name: "Journal entries (CSV)" }).waitFor();
  await shop.settle(page); // the reports are read again
  await price.fill("3");
  await page.context().clearCookies();
  // At once: any other request would show the sign-in.
  await page.evaluate("document.querySelector('a[href*=\"liability.csv\"]').click()");
  await page.waitForTimeout(1_000);
  expect(new URL(page.url()).pathname).toBe("/admin/liability");
  expect(await price.inputValue()).toBe("3");
});

test("what was saved is not asked about while the page reads its lists again", async () => {
  const page = await shop.open({ path: "/liability", role: "owner" });
  const price = page.getByRole("textbox", { name: "Stand-alone price of a point" });
  await price.fill("2");
  await page.getByRole("textbox", { name: "Expected redemption in percent" }).fill("70");
  await page.route(/\/admin\/api\/liability/, (route) =>
    route.request().method() === "GET" ? Promise.resolve() : route.continue(),
  );
  await page.getByRole("button", { name: "Set estimate" }).click();
  await page.getByText("Estimate set").waitFor();
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await page.waitForURL("**/customers");
});

test("a page that is kept behind the sign-in is asked about, and the sign-in is not", async () => {
  const page = await shop.open({ path: `/customers/${customer}/notes`, role: "owner" });
  await page.getByRole("textbox", { name: "Note" }).fill("Wants a call");
  await page.context().clearCookies();
  shop.expectStatus(page, 401);
  await page.getByRole("button", { name: "Add note" }).click();
  const email = page.getByRole("textbox", { name: "E-mail" });
  await email.fill("owner@example.com");
  expect(await asksBeforeReload(page)).toBe(true);
  const signIn = await shop.open({ path: "/", role: null });
  await signIn.getByRole("textbox", { name: "E-mail" }).fill("owner@example.com");
  expect(await asksBeforeReload(signIn)).toBe(false);
});
