import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// Each form that is sent without a connection says so at once, keeps what was entered, and sends nothing later. offline.test.ts has the stories.
let shop: Dashboard;
let customer: string;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
  customer = (await makeCustomer(shop.service.deps, { email: "offline@example.com" })).storefrontId;
});
afterAll(() => shop?.stop());

const UNSENT = "You are offline. Nothing was sent, and what you entered is still here.";

interface Form {
  readonly path: string;
  /** The button that opens it, if it has no path of its own. */
  readonly button?: string;
  /** It is a part of the page, and not in a panel or dialog. */
  readonly isOfPage?: true;
  readonly fields: Readonly<Record<string, string>>;
}

const FORMS: readonly Form[] = [
  { path: "/customers/ID/adjust", fields: { Points: "7", Note: "Parcel came late" } },
  { path: "/customers/ID/edit", fields: { Name: "Another Name" } },
  { path: "/customers/ID/merge", fields: { "Id or e-mail of the other customer": "somebody@example.com" } },
  { path: "/customers/ID/notes", isOfPage: true, fields: { Note: "Wants a call" } },
  { path: "/customers?panel=new", fields: { Name: "New Customer" } },
  { path: "/segments/new", fields: { Name: "Big spenders", "Spend at least": "50000" } },
  { path: "/messages", isOfPage: true, fields: { "Messages per hour, at most": "7" } },
  { path: "/messages/birthday", fields: { Subject: "Happy birthday" } },
  { path: "/webhooks/topic/point_balance.update", fields: { Address: "https://shop.example.com/hook" } },
  { path: "/people", button: "Invite a person", fields: { Name: "New Person", "E-mail": "new@example.com" } },
  { path: "/credentials", button: "New credential", fields: { Name: "Till" } },
  { path: "/credentials", isOfPage: true, fields: { Origin: "https://shop.example.com" } },
  { path: "/alerts", isOfPage: true, fields: { "E-mail addresses": "owner@example.com" } },
  { path: "/reports", isOfPage: true, fields: { "E-mail addresses": "owner@example.com" } },
  { path: "/account", isOfPage: true, fields: { Name: "Another Name" } },
  { path: "/appearance", isOfPage: true, fields: { "Colour of buttons and links": "#004422" } },
  {
    path: "/liability",
    isOfPage: true,
    fields: { "Stand-alone price of a point": "1", "Expected redemption in percent": "80" },
  },
  { path: "/orders?state=pending", button: "Views", fields: { Name: "Pending ones" } },
];

test.each(FORMS.map((form) => [`${form.path} ${form.button ?? ""}`.trim(), form] as const))(
  "%s",
  async (_, { path, button, isOfPage, fields }) => {
    const page = await shop.open({ path: path.replace("ID", customer), role: "owner" });
    if (button !== undefined) await page.getByRole("button", { name: button }).click();
    if (button === "Views") await page.getByRole("menuitem", { name: "Save these filters" }).click();
    const place = page.getByRole(isOfPage === true ? "main" : "dialog");
    const fieldOf = (name: string) => place.getByRole("textbox", { name }).last();
    for (const [name, text] of Object.entries(fields)) await fieldOf(name).fill(text);
    const [first = ""] = Object.keys(fields);
    const form = fieldOf(first).locator("xpath=ancestor::form[1]");
    await shop.settle(page);
    await page.context().setOffline(true);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
    });
    await page.getByText("You are offline. What you see may be old").waitFor();
    await form.locator("button[type=submit]").first().click();
    await page.getByText(UNSENT).first().waitFor();
    const values = await page.locator("input, textarea").evaluateAll((all) => all.map((one) => Object(one).value));
    for (const text of Object.values(fields)) expect(values).toContain(text);
    await page.context().setOffline(false);
    await page.getByText("You are offline. What you see may be old").waitFor({ state: "detached" });
    await shop.settle(page);
    expect(sent).toEqual([]);
  },
);
