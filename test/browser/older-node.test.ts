import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCustomer } from "../support/customers.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

// While nodes are replaced one after the other, a new page reads and sends to nodes of the version before.
let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false });
});
afterAll(() => shop?.stop());

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
});
