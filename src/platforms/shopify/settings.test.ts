import { expect, test } from "vitest";
import { ConfigError } from "../../environment.ts";
import { readShopifySettings } from "./settings.ts";

const TOKEN = { SHOPIFY_ADMIN_TOKEN: "shpat_1" };
const CLIENT = { SHOPIFY_CLIENT_ID: "app", SHOPIFY_CLIENT_SECRET: "word" };

test("nothing is set: nothing is taken, and Shopify is never called", () => {
  expect(readShopifySettings({})).toEqual({ shop: undefined, secrets: [], admin: undefined });
});

test("a shop in any case and several secrets", () => {
  const env = { SHOPIFY_SHOP_DOMAIN: " Tea.MyShopify.com ", SHOPIFY_WEBHOOK_SECRETS: "new, old,," };
  expect(readShopifySettings(env)).toEqual({ shop: "tea.myshopify.com", secrets: ["new", "old"], admin: undefined });
});

test("a token is used at the shop, or where an address says", () => {
  const url = "https://tea.myshopify.com/admin/api/2026-04/graphql.json";
  const ofShop = readShopifySettings({ ...TOKEN, SHOPIFY_SHOP_DOMAIN: "tea.myshopify.com" });
  expect(ofShop.admin).toEqual({ token: "shpat_1", url, timeoutMs: 10_000 });
  const named = "http://127.0.0.1:9/graphql.json";
  expect(readShopifySettings({ ...TOKEN, SHOPIFY_ADMIN_URL: named }).admin?.url).toBe(named);
});

test("the credentials of an app are used in a token's place", () => {
  const { admin } = readShopifySettings({ ...CLIENT, SHOPIFY_SHOP_DOMAIN: "tea.myshopify.com" });
  expect(admin).toMatchObject({ client: { id: "app", secret: "word" }, timeoutMs: 10_000 });
});

test.each([
  [CLIENT, "SHOPIFY_SHOP_DOMAIN must be set when SHOPIFY_CLIENT_ID is: it says where they are used."],
  [{ SHOPIFY_CLIENT_ID: "app" }, "SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET must be set together."],
  [{ ...TOKEN, ...CLIENT }, "SHOPIFY_ADMIN_TOKEN and SHOPIFY_CLIENT_ID are both set: expected one of them."],
  [TOKEN, "SHOPIFY_SHOP_DOMAIN must be set when SHOPIFY_ADMIN_TOKEN is: it says where the token is used."],
  [
    { ...TOKEN, SHOPIFY_ADMIN_URL: "ftp://tea/graphql.json" },
    'SHOPIFY_ADMIN_URL must be an http or https address that ends in /graphql.json, not "ftp://tea/graphql.json".',
  ],
])("%j is refused", (env, message) => {
  expect(() => readShopifySettings(env)).toThrow(new ConfigError(message));
});
