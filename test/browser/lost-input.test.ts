import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// What a person types is not lost by an answer that comes late, nor by one that does not come, nor by a dialog that is closed too soon.
let shop: Dashboard;
let customer: string;
let other: string;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
  const { deps } = shop.service;
  customer = (await makeCustomer(deps, { email: "one@example.com" })).storefrontId;
  other = (await makeCustomer(deps, { email: "other@example.com" })).storefrontId;
});
afterAll(() => shop?.stop());

/** Goes to another path while a request is held back: `shop.go` would wait for it. */
async function goMeanwhile(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/admin${path}`)})`);
}

/** Holds the posts to a path back until the function that is returned is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
  });
  return resolve;
}

/** The same for posts that are then refused. */
async function holdAndRefuse(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await promise;
    await route.fulfill({ status: 503, body: "" });
  });
  return resolve;
}

test("what is typed while a note is sent stays, and a note that is corrected after a lost answer is another one", async () => {
  const page = await shop.open({ path: `/customers/${customer}/notes`, role: "support" });
  const path = "**/customers/*/notes";
  const send = await hold(page, path);
  const note = page.getByRole("textbox", { name: "Note" });
  const add = page.getByRole("button", { name: "Add note" });
  const notes = page.getByRole("list", { name: "Notes" });
  await note.fill("Called back");
  await add.click();
  await note.press("End");
  await note.pressSequentially(" Wants a refund");
  send();
  await notes.getByText("Called back", { exact: true }).waitFor();
  expect(await note.inputValue()).toBe("Wants a refund");
  await page.unroute(path);
  let isLost = true;
  await page.route(path, async (route) => {
    if (!isLost || route.request().method() !== "POST") return route.continue();
    isLost = false;
    await route.fetch();
    await route.abort();
  });
  await note.fill("Call on Monday");
  await add.click();
  await page.getByRole("alert").first().waitFor();
  await note.fill("Call on Tuesday");
  await add.click();
  await notes.getByText("Call on Tuesday", { exact: true }).waitFor();
  expect(await note.inputValue()).toBe("");
});

test("a note whose answer is lost is sent again as the same one, and who leaves while one is sent is told that it may be saved", async () => {
  const page = await shop.open({ path: `/customers/${other}/notes`, role: "support" });
  const path = "**/customers/*/notes";
  await page.route(path, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort();
  });
  const note = page.getByRole("textbox", { name: "Note" });
  const add = page.getByRole("button", { name: "Add note" });
  await note.fill("Gift wrap");
  await add.click();
  await page.getByRole("alert").first().waitFor();
  await page.unroute(path);
  await note.press("End");
  await note.pressSequentially("!");
  await note.press("Backspace");
  await add.click();
  await expect.poll(() => note.inputValue()).toBe("");
  const read = async () => (await (await shop.as("support")).get(`/customers/${other}/notes`)).body.data.length;
  expect(await read()).toBe(1);
  await note.fill("Gift wrap"); // once more, and meant so
  await add.click();
  await expect.poll(read).toBe(2);
  const refuse = await holdAndRefuse(page, path);
  const away = page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Ledger" });
  const question = page.getByRole("dialog", { name: "Leave while this is being sent?" });
  await note.fill("Left meanwhile");
  await add.click();
  await away.click();
  await question.getByText("it may still be done").waitFor();
  refuse();
  const unsaved = page.getByRole("dialog", { name: "Leave without saving?" });
  await unsaved.getByRole("button", { name: "Cancel" }).click();
  await unsaved.waitFor({ state: "detached" });
  await page.unroute(path);
  const send = await hold(page, path);
  await add.click();
  await away.click();
  await question.waitFor();
  send(); // what is saved needs no question
  await page.waitForURL(/\/admin\/ledger$/);
  expect(await read()).toBe(3);
});

test("a dialog with typed text asks before it is closed by Esc, beside it or by its button", async () => {
  const page = await shop.open({ path: "/people", role: "owner" });
  await page.getByRole("button", { name: "Invite a person" }).click();
  const question = page.getByRole("dialog", { name: "Close without saving?" });
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
  await name.pressSequentially("Half a name");
  const closings = [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(5, 5),
    () => page.getByRole("dialog").getByRole("button", { name: "Cancel" }).first().click(),
  ];
  for (const close of closings) {
    await close();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Half a name");
  }
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

test("the browser asks during an upload, whose end leads nobody away from another page", async () => {
  const page = await shop.open({ path: "/csv/imports/new", role: "manager" });
  const send = await hold(page, "**/api/imports?**");
  const buffer = Buffer.from(`customer_id,points\n${customer},5\n`);
  await page.locator("input[type=file]").setInputFiles({ name: "thanks.csv", mimeType: "text/csv", buffer });
  await page.getByText("Uploading thanks.csv").first().waitFor();
  const dialog = page.waitForEvent("dialog").then((one) => one.dismiss());
  await page.evaluate("void setTimeout(() => location.reload())");
  await dialog;
  await page.getByText("Uploading thanks.csv").first().waitFor();
  await goMeanwhile(page, `/customers/${customer}/notes`);
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("Wants a call");
  send();
  await page.getByText("thanks.csv is uploaded").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/admin/customers/${customer}/notes`);
  expect(await note.inputValue()).toBe("Wants a call");
});

test("who closes a form that is being sent is told that it may be done, and its answer leads nobody away from the next form", async () => {
  const page = await shop.open({ path: `/customers/${customer}/adjust`, role: "support" });
  const path = `**/customers/${customer}/adjustments`;
  const refuse = await holdAndRefuse(page, path);
  const question = page.getByRole("dialog", { name: "Close while this is being sent?" });
  await page.getByRole("textbox", { name: "Points" }).fill("7");
  await page.getByRole("button", { name: "Add points" }).click();
  await page.keyboard.press("Escape");
  await question.getByText("it may still be done").waitFor();
  refuse();
  const unsaved = page.getByRole("dialog", { name: "Close without saving?" });
  await unsaved.getByRole("button", { name: "Cancel" }).click();
  await unsaved.waitFor({ state: "detached" });
  await page.unroute(path);
  const send = await hold(page, path);
  await page.getByRole("button", { name: "Add points" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Close anyway" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" }); // its note is not the one below
  await goMeanwhile(page, `/customers/${other}/adjust`);
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("Parcel came late");
  send();
  await page.getByText(/^\+7/).first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/admin/customers/${other}/adjust`);
  expect(await note.inputValue()).toBe("Parcel came late");
});

test("a segment that is removed late leads nobody away from another page", async () => {
  const manager = await shop.as("manager");
  const made = await manager.post("/segments", { name: "Once only", filter: { orders_min: 1 } });
  const page = await shop.open({ path: `/segments/${made.body.data.uid}`, role: "manager" });
  const { promise, resolve: send } = Promise.withResolvers<void>();
  await page.route("**/api/segments/*", async (route) => {
    if (route.request().method() === "DELETE") await promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await goMeanwhile(page, `/customers/${customer}/notes`);
  await page.getByRole("textbox", { name: "Note" }).waitFor();
  send();
  await page.getByText("Deleted", { exact: true }).first().waitFor();
  await shop.settle(page);
  expect(new URL(page.url()).pathname).toBe(`/admin/customers/${customer}/notes`);
});

test("a day of a period is typed digit by digit", async () => {
  const page = await shop.open({
    path: `/customers/${customer}/statement?from=2026-01-01&until=2026-02-28`,
    role: "support",
  });
  const from = page.getByLabel("From");
  await from.click({ position: { x: 12, y: 12 } });
  await page.keyboard.type("11152025", { delay: 60 });
  await page.waitForURL(/from=2025-11-15&until=2026-02-28/);
  expect(await from.inputValue()).toBe("2025-11-15");
});

test("a pause in a day that is half typed asks for no impossible period, and one that was asked for can be mended", async () => {
  const page = await shop.open({
    path: `/customers/${customer}/statement?from=2026-01-01&until=2026-02-28`,
    role: "support",
  });
  const from = page.getByLabel("From");
  await from.click({ position: { x: 12, y: 12 } });
  await page.keyboard.type("11", { delay: 60 });
  await page.waitForTimeout(900);
  expect(page.url()).toMatch(/from=2026-01-01&until=2026-02-28$/);
  await page.keyboard.type("15", { delay: 60 });
  await from.blur();
  await page.getByRole("alert").first().waitFor();
  expect(await from.inputValue()).toBe("2026-11-15");
  await page.getByLabel("Until").fill("2026-12-31");
  await page.waitForURL(/from=2026-11-15&until=2026-12-31/);
  await page.getByRole("alert").first().waitFor({ state: "detached" });
});

test("the second day of a period does not undo the first, whose statement is still read", async () => {
  const page = await shop.open({ path: `/customers/${customer}/statement`, role: "support" });
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/statement?*", async (route) => {
    await promise;
    await route.continue();
  });
  await page.getByLabel("From").fill("2025-03-01");
  await page.waitForURL(/from=2025-03-01/);
  await page.getByLabel("Until").fill("2025-04-30");
  await page.waitForURL(/until=2025-04-30/);
  expect(page.url()).toMatch(/from=2025-03-01&until=2025-04-30$/);
  answer();
});

test("a day outside the choice is applied by Enter, and nobody's statement has no period to choose", async () => {
  const page = await shop.open({
    path: `/customers/${customer}/statement?from=2026-01-01&until=2026-02-28`,
    role: "support",
  });
  const until = page.getByLabel("Until");
  await until.fill("2025-12-31");
  await until.press("Enter");
  await page.waitForURL(/from=2026-01-01&until=2025-12-31$/);
  expect(await until.evaluate("document.activeElement?.getAttribute('type')")).toBe("date");
  shop.expectStatus(page, 404);
  await shop.go(page, "/customers/nobody/statement");
  await page.getByText("This does not exist, or no longer exists.").first().waitFor();
  expect(await page.getByLabel("From").count()).toBe(0);
});
