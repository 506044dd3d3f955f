import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const DASHBOARD = join(import.meta.dirname, "../../dashboard");

let shop: Dashboard;
let customer: string;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
  customer = (await makeCustomer(shop.service.deps, { email: "offline@example.com" })).storefrontId;
});
afterAll(() => shop?.stop());

const UNSENT = "You are offline. Nothing was sent, and what you entered is still here.";

interface FormStory {
  readonly path: () => string;
  readonly role?: "owner" | "manager" | "support";
  fill(page: Page): Promise<void>;
  send(page: Page): Promise<void>;
  /** What was typed, as it still stands in the form. */
  readonly kept?: string;
}

const FORMS: Record<string, FormStory> = {
  "points of a customer": {
    path: () => `/customers/${customer}/adjust`,
    role: "support",
    fill: async (page) => {
      await page.getByRole("textbox", { name: "Points" }).fill("7");
      await page.getByLabel("Note").fill("Parcel came late");
      await page.getByRole("dialog").getByRole("status").getByText("7").first().waitFor();
    },
    send: (page) => page.getByRole("button", { name: "Add points" }).click(),
    kept: "Parcel came late",
  },
  "the program": {
    path: () => "/program/earning",
    fill: async (page) => {
      await page.getByLabel("Rounding").selectOption("Down");
      await page.getByRole("button", { name: "Review changes" }).click();
      await page.getByRole("button", { name: "Apply" }).waitFor();
    },
    send: async (page) => {
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    },
  },
  "an invitation": {
    path: () => "/people",
    role: "owner",
    fill: async (page) => {
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByLabel("E-mail").fill("new.person@example.com");
      await page.getByLabel("Name").fill("New Person");
    },
    send: (page) => page.getByRole("dialog").getByRole("button", { name: "Invite" }).click(),
    kept: "new.person@example.com",
  },
  "an account": {
    path: () => "/account",
    fill: (page) => page.getByRole("textbox", { name: "Name" }).fill("Another Name"),
    send: (page) => page.getByRole("button", { name: "Save" }).click(),
    kept: "Another Name",
  },
  "a file": {
    path: () => "/csv/imports/new",
    fill: async () => undefined,
    send: (page) =>
      page
        .locator("input[type=file]")
        .setInputFiles({ name: "points.csv", mimeType: "text/csv", buffer: Buffer.from("customer_id,points\n1,5\n") }),
  },
};

test.for(Object.entries(FORMS))(
  "%s: offline, nothing is sent, not even later, and the form stays",
  async ([, form]) => {
    const page = await shop.open({ path: form.path(), role: form.role ?? "manager" });
    await form.fill(page);
    await shop.settle(page);
    await page.context().setOffline(true);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET" && !request.url().includes("preview")) sent.push(request.url());
    });
    await page.getByText("You are offline. What you see may be old").waitFor();
    await form.send(page);
    await page.getByText(UNSENT).waitFor();
    await page.context().setOffline(false);
    await page.getByText("You are offline. What you see may be old").waitFor({ state: "detached" });
    await shop.settle(page);
    expect(sent).toEqual([]);
    if (form.kept !== undefined) {
      const values = await page.locator("input, textarea").evaluateAll((all) => all.map((one) => Object(one).value));
      expect(values).toContain(form.kept);
    }
    await page.context().close();
  },
);

test("points that were sent offline and cancelled are not given when the connection is back", async () => {
  const page = await shop.open({ path: `/customers/${customer}/adjust`, role: "support" });
  await page.getByRole("textbox", { name: "Points" }).fill("7");
  await page.getByRole("dialog").getByRole("status").getByText("7").first().waitFor();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Add points" }).click();
  await page.getByText(UNSENT).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard it" }).click();
  await page.context().setOffline(false);
  await shop.settle(page);
  const read = await (await shop.as("support")).get(`/customers/${customer}`);
  expect(read.body.data.balance.available).toBe(0);
});

/** A page whose code is not fetched before somebody goes there. */
async function openAccount(page: Page, name: string): Promise<void> {
  await page.locator("header [aria-expanded]").click();
  await page.getByRole("link", { name }).click();
}

test("a page that cannot be loaded offline says so, and opens by itself when the connection is back", async () => {
  const page = await shop.open({ path: `/customers/${customer}`, language: "ja" });
  await page.context().setOffline(true);
  await openAccount(page, "アカウント");
  await page.getByText("オフラインのため、このページを読み込めません").waitFor();
  await page.screenshot({ path: "test-results/screenshots/offline-page-ja.png" });
  await page.context().setOffline(false);
  await page.getByRole("heading", { level: 1, name: "アカウント" }).waitFor();
});

test("code of menus that nobody opened cannot be loaded: what is typed into a form above them stays", async () => {
  const page = await shop.open({ path: "/account" });
  const lost = page.waitForEvent("requestfailed", (request) => request.url().includes("list-menus-"));
  await page.route(/assets\/list-menus-/, (route) => route.abort("internetdisconnected"));
  await shop.go(page, "/customers?panel=new");
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" }).last();
  await name.fill("New Customer");
  await lost;
  // a page that is replaced is reloaded, but React shows the replacement 300 ms later
  await page.evaluate("(async () => { for (let n = 0; n < 60; n++) await new Promise(requestAnimationFrame); })()");
  await shop.settle(page);
  expect(await name.inputValue()).toBe("New Customer");
});

test("a file that a new release no longer has reloads the page once, and not for ever", async () => {
  const page = await shop.open({ path: `/customers/${customer}` });
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.route(/assets\/page-/, (route) => route.fulfill({ status: 404, body: "" }));
  await openAccount(page, "Account");
  await page.getByText("This page could not be shown").waitFor();
  expect(loads).toBe(1);
  await page.unroute(/assets\/page-/);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
});

test("every change is made by that client: no other is created, and none sets its own network mode", () => {
  const files = readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name) && !/^dist/.test(name),
  );
  const naming = (text: RegExp) => files.filter((name) => text.test(readFileSync(join(DASHBOARD, name), "utf8")));
  expect(files.length).toBeGreaterThan(200);
  expect(naming(/new QueryClient\(/)).toEqual(["api/query-client.ts"]);
  expect(naming(/networkMode/)).toEqual(["api/query-client.ts"]);
});
