import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
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
  const take = (response: Response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith("/admin") || pathname.startsWith("/admin/api/")) return;
    found.push(response.body().then((body) => ({ url: pathname, bytes: gzipSync(body).length })));
  };
  page.on("response", take);
  return () => {
    page.off("response", take); // the code of other pages comes later
    return Promise.all(found);
  };
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

test("the head of each page names its own files, so that they are fetched with the first ones", async () => {
  const pages: { path: string; files: string[] }[] = JSON.parse(
    await readFile(join(import.meta.dirname, "../../dashboard/dist/pages.json"), "utf8"),
  );
  const router = await readFile(join(import.meta.dirname, "../../dashboard/router.tsx"), "utf8");
  expect(pages).toHaveLength(router.split("() => import(").length - 1);
  expect(pages.filter(({ files }) => files.length === 0)).toEqual([]);
  const growth = pages.find(({ path }) => path.startsWith("/growth"))?.files ?? [];
  const html = await (await fetch(`${shop.service.url}/admin/growth/tiers`)).text();
  for (const file of growth) expect(html).toContain(`crossorigin href="/admin/${file}">`);
  const page = await shop.open({ path: "/growth" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await shop.settle(page);
  const first = (path: string) => asked.findIndex((one) => one.startsWith(path));
  expect(first("/admin/api/session")).toBeLessThan(first("/admin/api/growth"));
  for (const file of growth) expect(first(`/admin/${file}`)).toBeLessThan(first("/admin/api/growth"));
  expect(asked.filter((path) => path === "/admin/api/session")).toHaveLength(1);
  for (const file of growth) expect(asked.filter((path) => path === `/admin/${file}`)).toHaveLength(1);
});
