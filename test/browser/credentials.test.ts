import { afterAll, beforeAll, expect, test } from "vitest";
import { basic } from "../support/client.ts";
import { bearer } from "../support/customer-token.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard({ worker: false, config: { apiSecret: undefined } });
});
afterAll(() => shop?.stop());

test("an owner makes a credential, rotates the store's secret and revokes", async () => {
  const page = await shop.open({ path: "/credentials", role: "owner" });
  await page.getByRole("button", { name: "New credential" }).click();
  await page.getByLabel("Name").fill("till");
  await page.getByRole("checkbox", { name: "Webhooks" }).check();
  await shop.look(page, "credentials-create");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page
    .getByText(/^pk_[0-9a-f]{16}$/)
    .last()
    .waitFor();
  const dialog = page.getByRole("dialog", { name: "Secret of till" });
  const secret = (await dialog.getByText(/^[\w-]{43}$/).textContent()) ?? "";
  const key = (await dialog.getByText(/^pk_[0-9a-f]{16}$/).textContent()) ?? "";
  await shop.look(page, "credentials-secret");
  await page.getByRole("button", { name: "I have copied it" }).click();
  const { service } = shop;
  const answer = await service.client
    .as(`Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`)
    .get("/api/storefront/tiers");
  expect(answer.status).toBe(200);

  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "Confirm the new secret" }).waitFor();
  await shop.look(page, "credentials");
  await page.getByRole("button", { name: "Revoke: till" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("row", { name: /till.*Revoked/ }).waitFor();
});

test("an owner closes the store's own credential to the API, and sees who failed to authenticate", async () => {
  const { service } = shop;
  for (let i = 0; i < 3; i++) await service.client.as("Bearer nobody's").get("/api/storefront/tiers");
  await waitUntil(async () => (await service.deps.db.query("select from api_auth_failure")).length > 0);
  const page = await shop.open({ path: "/credentials", role: "owner" });
  await page.getByRole("row", { name: /127\.0\.0\.1 3/ }).waitFor();
  await page.getByRole("button", { name: "Change scopes: store" }).click();
  const dialog = page.getByRole("dialog", { name: "Scopes of store" });
  for (const scope of ["Read", "Write points", "Webhooks", "Send events", "Admin"])
    await dialog.getByRole("checkbox", { name: scope }).uncheck();
  await shop.look(page, "credentials-scopes");
  await dialog.getByRole("button", { name: "Close to the API" }).click();
  await page.getByRole("row", { name: /^store.*Closed to the API/ }).waitFor();
  await shop.look(page, "credentials-closed");
  await waitUntil(async () => (await service.client.get("/api/storefront/tiers")).status !== 200);
});

test("an owner makes a storefront key, allows an origin, and takes both back", async () => {
  const page = await shop.open({ path: "/credentials", role: "owner" });
  shop.expectStatus(page, 422);
  await page.getByRole("button", { name: "New storefront key" }).click();
  await page.getByLabel("Name").fill("webshop");
  await shop.look(page, "credentials-storefront-create");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Secret of webshop" });
  const secret = (await dialog.getByText(/^[\w-]{43}$/).textContent()) ?? "";
  const kid = (await dialog.getByText(/^sf_[0-9a-f]{16}$/).textContent()) ?? "";
  await page.getByRole("button", { name: "I have copied it" }).click();
  const summary = () => shop.service.client.as(bearer({ kid, secret }, "7")).get("/api/customer/summary");
  expect((await summary()).status).toBe(200);

  await page.getByRole("textbox", { name: "Origin" }).fill("http://shop.example.com/path");
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByText(/expected the origin of the shop's pages/i).waitFor();
  await page.getByRole("textbox", { name: "Origin" }).fill("https://shop.example.com/");
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByRole("row", { name: /https:\/\/shop\.example\.com/ }).waitFor();
  await shop.look(page, "credentials-storefront");

  await page.getByRole("button", { name: "Remove: https://shop.example.com" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("None: no page can use a token").waitFor();
  await page.getByRole("button", { name: "Revoke: webshop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("row", { name: /webshop.*Revoked/ }).waitFor();
  await waitUntil(async () => (await summary()).status === 401);
});

test("an owner sees what a credential asked for, and narrows it to what was refused", async () => {
  const { service } = shop;
  const made = (await (await shop.as("owner")).post("/credentials", { name: "erp", scopes: ["read", "write"] })).body
    .data;
  const erp = service.client.as(basic(made));
  await erp.get("/api/storefront/tiers", { "x-request-id": "nightly-1" });
  await erp.post("/api/storefront/point_allotments", { customer_id: "7" }, { "x-request-id": "nightly-2" });
  await erp.post("/api/storefront/point_allotments", { customer_id: "7", point_value: 5 });
  await waitUntil(async () => (await service.deps.db.query("select from api_request")).length >= 3);
  const page = await shop.open({ path: "/credentials", role: "owner" });
  await page.getByRole("link", { name: "erp" }).click();
  const panel = page.getByRole("dialog", { name: "Requests of erp" });
  await panel.getByRole("row", { name: /GET \/api\/storefront\/tiers.*nightly-1.*200/ }).waitFor();
  await shop.look(page, "credentials-requests");
  await panel.getByLabel("Status").selectOption("refused");
  await panel.getByRole("row", { name: /nightly-2.*422/ }).waitFor();
  await panel.getByRole("row", { name: /nightly-1/ }).waitFor({ state: "detached" });
  const phone = await shop.open({ path: `/credentials/${made.key}`, role: "owner", language: "ja", width: 360 });
  await phone.getByText("nightly-2").waitFor();
  await shop.look(phone, "credentials-requests-ja-360");
});

test("in Japanese, on a telephone", async () => {
  const page = await shop.open({ path: "/credentials", role: "owner", language: "ja", width: 360 });
  await page.getByRole("heading", { name: "ストアフロント" }).waitFor();
  await shop.look(page, "credentials-ja-360");
});

test("in Japanese", async () => {
  const page = await shop.open({ path: "/credentials", role: "owner", language: "ja" });
  await page.getByRole("heading", { name: "API認証情報" }).waitFor();
  await shop.look(page, "credentials-ja");
});
