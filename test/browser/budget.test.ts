import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const FIRST_LOAD_MAX_BYTES = 250_000;

let shop: Dashboard;

beforeAll(async () => {
  shop = await startDashboard();
});

afterAll(() => shop?.stop());

/** What the page fetches from the dashboard's own files, each in gzip, whatever the browser took it as. */
function measureFiles(page: Page): () => Promise<{ url: string; bytes: number }[]> {
  const found: Promise<{ url: string; bytes: number }>[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/admin") || pathname.startsWith("/admin/api/")) return;
    found.push(response.body().then((body) => ({ url: pathname, bytes: gzipSync(body).length })));
  });
  return () => Promise.all(found);
}

test("a page with a table can be used after 250 kB", async () => {
  const page = await shop.open({ path: "/account" });
  const context = page.context();
  const fresh = await context.newPage();
  const measured = measureFiles(fresh);
  await fresh.goto(`${shop.service.url}/admin/customers`);
  await fresh.getByRole("searchbox").waitFor();
  const files = await measured();
  expect(files.length).toBeGreaterThan(3);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes, JSON.stringify(files)).toBeLessThan(FIRST_LOAD_MAX_BYTES);
});
