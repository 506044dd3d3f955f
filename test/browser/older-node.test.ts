import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { fillLists } from "./support/fill-lists.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// While nodes are replaced one after the other, a new page reads and sends to nodes of the version before.
let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
});
afterAll(() => shop?.stop());

test("default views that a browser had stored stay while nodes of an older version answer", async () => {
  const support = await shop.as("support");
  const view = { list: "orders", name: "Kept", filters: { state: "refunded" }, is_shared: false };
  const { uid } = (await support.post("/views", view)).body.data;
  const page = await shop.open({ path: "/", role: "support" });
  const key = JSON.stringify(`pointkeeper.default-views.${support.uid}`);
  const stored = JSON.stringify({ orders: { uid, filters: {} } });
  await page.evaluate(`localStorage.setItem(${key}, ${JSON.stringify(stored)})`);
  const link = page.getByRole("navigation").getByRole("link", { name: "Orders" });
  let asked = 0;
  await page.route("**/views/*/default", (route) => {
    asked++;
    return route.fulfill({ status: 404, json: { errors: [{ title: "Not found", code: "not_found" }] } });
  });
  await page.route("**/api/session", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, default_views: undefined } } });
  });
  await page.reload();
  await link.waitFor();
  await shop.settle(page);
  expect(asked).toBe(0); // which lists have one is not known
  await page.unroute("**/api/session");
  await page.reload();
  await expect.poll(() => asked).toBe(1);
  await shop.settle(page);
  expect(await page.evaluate(`localStorage.getItem(${key})`)).toBe(stored);
  await page.unroute("**/views/*/default");
  await page.reload();
  await expect.poll(() => link.getAttribute("href")).toMatch(/\/orders\?state=refunded$/);
  await expect.poll(() => page.evaluate(`localStorage.getItem(${key})`)).toBe(null);
});

test("what a node of an older version does not send breaks no page", async () => {
  const owner = await shop.as("owner");
  const page = await shop.open({ path: "/account", role: "owner" });
  const without = async (path: string, name: string) =>
    page.route(path, async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const rows = data.map((row: object) => ({ ...row, [name]: undefined }));
      await route.fulfill({ response, json: { ...rest, data: rows } });
    });
  await without("**/api/people", "mailed_by");
  await shop.go(page, `/people/${owner.uid}`);
  await page.getByRole("dialog").getByRole("heading", { name: "Access" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByRole("dialog", { name: "Disable" }).getByRole("button", { name: "Cancel" }).click();
  const { storefrontId: customer } = await makeCustomer(shop.service.deps, { email: "one@example.com" });
  const reason = { type: "compensation", note: "Late parcel" };
  await shop.service.client.post("/api/storefront/point_allotments", { customer_id: customer, point_value: 5, reason });
  await without("**/customers/*/timeline*", "undoes");
  await shop.go(page, `/customers/${customer}`);
  const given = await page.getByRole("cell", { name: /Late parcel/ }).innerText();
  expect(given.trim()).not.toMatch(/^·/);

  await fillLists(shop.service);
  const fault = { title: "Unprocessable", code: "invalid", detail: "expected a number", source: { parameter: "id" } };
  await page.route("**/audit/count*", (route) => route.fulfill({ status: 422, json: { errors: [fault] } }));
  shop.expectStatus(page, 422);
  await shop.go(page, "/audit");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("button", { name: "Next" }).waitFor();
  await shop.settle(page);
  expect(await pages.innerText()).not.toMatch(/\d/);
  await page.unroute("**/audit/count*");
  await page.reload();
  await pages.getByText(/^\d+ in total$/).waitFor();
});
