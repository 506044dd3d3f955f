import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// What a person types is not lost by an answer that comes late, nor by one that does not come.
let shop: Dashboard;
let customer: string;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
  const { deps } = shop.service;
  customer = (await makeCustomer(deps, { email: "one@example.com" })).storefrontId;
});
afterAll(() => shop?.stop());

/** Holds the posts to a path back until the function that is returned is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === "POST") await promise;
    await route.continue();
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
