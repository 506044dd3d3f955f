import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { countSegments } from "../../src/segments/count-segments.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { buildCampaignStory, CAMPAIGN_PROGRAM } from "../support/campaign-story.ts";
import { yen } from "../support/explain.ts";
import { aggregateGrowthAll } from "../support/growth-story.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const PATIENCE_MS = 300_000;
const PHONE = 360;
const TABLET = 768;
const LONG_NAME = "高橋 アレクサンドリーナ・マクシミリアノヴナ";
const LONG_EMAIL = "a.very.long.address.of.somebody@long-domain.example";

let shop: Dashboard;
/** One address of each page, part and panel that has one. */
let addresses: readonly string[];

beforeAll(async () => {
  shop = await startDashboard({ now: "2026-03-20T01:00:00Z", worker: false, program: CAMPAIGN_PROGRAM });
  await buildCampaignStory(shop.service);
  const { client, deps } = shop.service;
  const person = { customer_id: "71", name: LONG_NAME, email: LONG_EMAIL, tags: ["お得意様"] };
  const lines = [{ line_id: "a", title: "玉露", quantity: 1, unit_price: yen(12_400) }];
  const order = { order_id: "5071", order_name: "#1071", customer_id: "71", lines, shop_currency: "JPY" };
  const events = [
    { type: "CustomerUpserted", payload: person },
    { type: "OrderPaid", payload: { ...order, total: yen(12_400), processed_at: "2026-03-20T00:30:00Z" } },
  ];
  expect((await client.post("/intake/events", events)).status).toBe(202);
  await processAllReceipts(deps);
  const award = {
    customer_id: "71",
    point_value: 123_456,
    reason: { type: "compensation", note: "遅れた荷物のお詫び" },
  };
  expect((await client.post("/api/storefront/point_allotments", award)).status).toBe(200);
  expect((await client.post("/api/storefront/coupons", { customer_id: "71", point_value: 500 })).status).toBe(200);
  await aggregateAll(deps);
  await aggregateGrowthAll(deps);
  addresses = await addressesOf(shop);
});
afterAll(() => shop?.stop());

async function addressesOf({ as, service }: Dashboard): Promise<string[]> {
  const owner = await as("owner");
  const made = await owner.post("/segments", { name: "購入のある会員", filter: { orders_min: 1 } });
  while ((await countSegments(service.deps)) > 0);
  const { uid: segment } = made.body.data;
  const first = async (path: string) => (await owner.get(path)).body.data[0];
  const [ledger, audit, receipt] = [await first("/ledger"), await first("/audit"), await first("/intake/receipts")];
  const [run, key] = [await first("/results"), await first("/credentials")];
  const customer = ["", "/orders", "/coupons", "/reservations", "/tiers", "/notes", "/history"];
  const panels = ["/why", "/adjust", "/edit", "/merge", "/tier", "/statement"];
  const program = ["store", "earning", "tiers", "expiration", "refunds", "coupons", "rewards", "staff", "bonuses"];
  return [
    ...["/", "/customers", "/customers?panel=new", "/segments", "/segments/new", `/segments/${segment}`],
    ...[...customer, ...panels].map((part) => `/customers/71${part}`),
    ...[
      `/segments/${segment}?panel=points`,
      "/ledger",
      `/ledger/${ledger.uid}`,
      "/orders",
      "/orders/5071",
      "/approvals",
    ],
    ...program.map((tab) => `/program/${tab}`),
    ...["/program/campaigns", "/program/campaigns?open=0", "/program/versions", "/program/review"],
    ...["/results", `/results/${run.id}`, "/results/benefits", "/growth", "/growth/guests", "/growth/joined"],
    ...["/growth/tiers", "/messages", "/messages/expiry_reminder", "/liability", "/liability/issued"],
    ...["/csv", "/csv/exports", "/csv/imports/new", "/webhooks", "/webhooks/topic/point_allotment.cascade"],
    ...["/credentials", `/credentials/${key.key}`, "/people", `/people/${owner.uid}`, "/mails", "/reports", "/alerts"],
    ...["/appearance", "/audit", `/audit/${audit.id}`, "/jobs", "/intake", `/intake/${receipt.uid}`],
    ...["/glossary?term=check", "/download?file=%2Forders.csv&status=403", "/account", "/no-such-page"],
  ];
}

const NARROW = `[document.documentElement, ...document.querySelectorAll("table")]
  .filter((one) => one.checkVisibility() && (one.scrollWidth > innerWidth || one.getBoundingClientRect().right > innerWidth + 1))
  .map((one) => one.caption?.innerText ?? one.tagName)`;

/** What is only seen after scrolling sideways: names of tables, or the page. */
const wideOf = (page: Page) => page.evaluate<string[]>(NARROW);

/** Columns that a telephone does not show, of lists whose rows lead to no page or panel with the rest. */
const HIDDEN = `[...document.querySelectorAll("table[data-lines]")]
  .filter((table) => table.checkVisibility() && table.querySelector("tbody td > a:first-child:empty") === null)
  .flatMap((table) => {
    const cells = [...(table.querySelector("tbody tr")?.cells ?? [])];
    return cells
      .filter((cell) => !cell.checkVisibility())
      .map((cell) => table.caption.innerText + ", " + table.tHead.rows[0].cells[cell.cellIndex].textContent);
  })`;

/** Landmarks of one role and name: a list of landmarks does not tell them apart. `look` has brought axe into the page. */
const TWICE = `axe.run({ runOnly: ["landmark-unique"], resultTypes: ["violations"], preload: false })
  .then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120))))`;

const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";
/** Forms in a panel over a page that is looked at by itself. */
const FORM = /^\/customers\/71\/(adjust|edit|merge|tier)$|\?open=/;

/** Gives the open page the width of a tablet that is held upright, for as long as it is measured. */
async function wideOnTablet(page: Page): Promise<string[]> {
  const phone = page.viewportSize() ?? { width: PHONE, height: 800 };
  await page.setViewportSize({ ...phone, width: TABLET });
  await page.evaluate(FRAMES);
  const found = await wideOf(page);
  await page.setViewportSize(phone);
  return found;
}

test("the addresses of this file are of every page that there is", () => {
  const router = readFileSync(join(import.meta.dirname, "../../dashboard/router.tsx"), "utf8");
  const routes = [...router.matchAll(/\bpage\("([^"]+)"/g)].map(([, path = ""]) => path);
  const patterns = routes.map((path) => path.replaceAll(/\/\{-\$\w+\}/g, "(/[^/]+)?").replaceAll(/\$\w+/g, "[^/]+"));
  const paths = addresses.map((address) => address.replace(/\?.*/, ""));
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((_, n) => !paths.some((path) => new RegExp(`^${patterns[n]}$`).test(path)))).toEqual([]);
});

test("each is sound in Japanese and dark, and neither a telephone nor an upright tablet scrolls it sideways", {
  timeout: PATIENCE_MS,
}, async () => {
  const page = await shop.open({ path: "/account", role: "owner", language: "ja", width: PHONE, colorScheme: "dark" });
  const faults: string[] = [];
  for (const path of addresses) {
    await shop.go(page, path);
    const name = (path.slice(1) || "home").replaceAll(/[^a-z0-9]+/gi, "-");
    await shop.look(page, `every-page-${name}`).catch((error: Error) => faults.push(error.message));
    for (const part of await wideOf(page)) faults.push(`${path}: ${part} is wider than the telephone`);
    for (const part of await page.evaluate<string[]>(HIDDEN)) faults.push(`${path}: ${part} is on no telephone`);
    for (const part of await page.evaluate<string[]>(TWICE))
      faults.push(`${path}: another landmark is named like ${part}`);
    if (FORM.test(path)) continue;
    for (const part of await wideOnTablet(page)) faults.push(`${path}: ${part} is wider than the tablet`);
  }
  expect(faults).toEqual([]);
});
