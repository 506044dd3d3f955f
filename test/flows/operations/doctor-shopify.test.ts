import { expect, test } from "vitest";
import { callAdmin } from "../../../src/platform-sync/shopify/call-admin.ts";
import { READ_SHOP } from "../../../src/platforms/shopify/admin/metafields.ts";
import { TEST_SECRET_KEY } from "../../support/secret-box.ts";
import { startTestService } from "../../support/service.ts";
import { runCli } from "../../support/service-process.ts";
import { startShopifyAdminServer } from "../../support/shopify-admin-server.ts";

test("pointkeeper doctor calls Shopify, and names a version of its Admin API that is no longer supported", async () => {
  const service = await startTestService({ worker: false, now: Temporal.Now.instant().toString() });
  const shopify = await startShopifyAdminServer();
  const { host, port, user, database } = service.connection;
  const env = {
    DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    POINTKEEPER_SECRET_KEY: TEST_SECRET_KEY,
    POINTKEEPER_DATA_DIR: "/nonexistent",
  };
  const set = { SHOPIFY_SHOP_DOMAIN: "127.0.0.1", SHOPIFY_ADMIN_URL: shopify.url, SHOPIFY_ADMIN_TOKEN: shopify.token };
  const checkOf = async (more: Record<string, string>) => {
    const { stdout } = await runCli(["doctor", "--json"], { ...env, ...more });
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "Shopify");
  };
  expect(await checkOf({})).toBeUndefined();
  expect(await checkOf(set)).toMatchObject({ state: "ok", says: expect.stringContaining("by version 2026-04") });
  shopify.version = "2026-07";
  expect(await checkOf(set)).toMatchObject({
    state: "warn",
    says: "Shopify no longer supports version 2026-04 of its Admin API: it answers by 2026-07",
    todo: expect.stringContaining("newer release"),
  });
  shopify.fate = () => "500";
  expect(await checkOf(set)).toMatchObject({
    state: "warn",
    says: expect.stringContaining("answered 500"),
    todo: expect.stringContaining("doctor again"),
  });
  expect(await checkOf({ ...set, SHOPIFY_ADMIN_TOKEN: "another" })).toMatchObject({
    state: "fail",
    says: expect.stringContaining("answered 401"),
    todo: expect.stringContaining("SHOPIFY_ADMIN_TOKEN"),
  });
  await shopify.close();
  await service.stop();
});

test("another version than the requested one is logged once a day", async () => {
  const shopify = await startShopifyAdminServer();
  const warnings: unknown[] = [];
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: object, message: string) => warnings.push([fields, message]),
  };
  const admin = { url: shopify.url, token: shopify.token, timeoutMs: 10_000 };
  await callAdmin({ log }, admin, READ_SHOP);
  shopify.version = "2026-07";
  await callAdmin({ log }, admin, READ_SHOP);
  await callAdmin({ log }, admin, READ_SHOP);
  expect(warnings).toEqual([
    [
      { requested: "2026-04", answered: "2026-07" },
      expect.stringContaining("no longer supports the requested version"),
    ],
  ]);
  await shopify.close();
});
