import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportLedger } from "../../src/admin/ledger/export-ledger.ts";
import { runReports } from "../../src/reports/run-reports.ts";
import { countSegments } from "../../src/segments/count-segments.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { aggregateLiabilityAll } from "../support/aggregate-liability-all.ts";
import { CAMPAIGN_PROGRAM } from "../support/campaign-story.ts";
import { checkCustomers, customerLines, startCustomers } from "../support/customer-import.ts";
import { buildGrowthStory, GROWTH_PROGRAM } from "../support/growth-story.ts";
import { type SmtpServer, smtpSettings, startSmtp } from "../support/smtp.ts";
import { rawDates } from "./support/raw-dates.ts";
import { type Dashboard, startDashboard } from "./support/start-dashboard.ts";

const ROUTER = resolve(import.meta.dirname, "../../dashboard/router.tsx");
const SEGMENT = { joined_month: "2026-01", first_ordered_month: "2026-01", lapsed_month: "2026-02", birthday_month: 4 };

let smtp: SmtpServer;
let shop: Dashboard;
/** Below /admin: each page, its tabs and panels. */
let paths: readonly string[];

beforeAll(async () => {
  const program = { ...GROWTH_PROGRAM, earning: CAMPAIGN_PROGRAM.earning, campaigns: CAMPAIGN_PROGRAM.campaigns };
  smtp = await startSmtp();
  const config = { mail: smtpSettings(smtp) };
  shop = await startDashboard({ now: "2026-01-01T00:00:00Z", worker: false, program, config });
  const { service } = shop;
  const { client, deps } = service;
  await buildGrowthStory(service);
  await client.put("/api/storefront/customers/ann", { name: "Ann", birthday: "1990-04-12" });
  await client.post("/api/storefront/webhooks", {
    topic: "point_balance/update",
    callback_url: "https://shop.example/a",
  });
  await aggregateAll(deps);
  await aggregateLiabilityAll(service);
  paths = await pathsOf(await steer());
});
afterAll(async () => {
  await shop?.stop();
  await smtp?.close();
});

/** A day's work of an owner: each leaves something with a day or a month in it. */
async function steer(): Promise<{ segment: string; file: string }> {
  const { service } = shop;
  const owner = await shop.as("owner");
  const ok = async (answer: Promise<{ status: number; text: string; body: Answer }>) => {
    const { status, text, body } = await answer;
    expect(status, text).toBeLessThan(300);
    return body;
  };
  await ok(owner.put("/liability/estimate", { month: "2026-01", redemption: "80.25", point_price: "0.95" }));
  await ok(owner.put("/liability/estimate", { month: "2026-02", redemption: "90", cohort: "2026-01" }));
  await ok(owner.post("/liability/close", { month: "2026-01" }));
  const segment = await ok(owner.post("/segments", { name: "Lapsing", filter: SEGMENT }));
  while ((await countSegments(service.deps)) > 0);
  const kinds = ["ledger", "liability", "customers"];
  const places = { addresses: ["books@store.example"], to_folder: false };
  await ok(owner.put("/reports", { is_on: true, kinds, frequency: "monthly", language: "en", ...places }));
  await runReports(service.deps, {
    sources: { ledger: async (deps, period) => (await exportLedger(deps, period)).pieces },
  });
  const file = await checkCustomers(service, owner, customerLines("c20,c20@example.com,Twenty,1990-04-12,,"));
  await startCustomers(service, owner, file.uid);
  await ok(owner.post("/exports", { start_date: "2026-01-01", end_date: "2026-01-31" }));
  return { segment: segment.data?.uid ?? "", file: file.uid };
}

interface Answer {
  readonly data?: { readonly uid?: string };
}

async function pathsOf({ segment, file }: { segment: string; file: string }): Promise<string[]> {
  const owner = await shop.as("owner");
  const [entry] = (await owner.get("/audit")).body.data;
  const [allotment] = (await owner.get("/ledger")).body.data;
  const customer = ["", "/orders", "/coupons", "/tiers", "/why", "/edit", "/adjust", "/tier", "/statement"];
  return [
    ...["/", "/customers", "/customers/new", "/segments", `/segments/${segment}`, "/segments/new?joined_month=2026-01"],
    ...customer.map((part) => `/customers/ann${part}`),
    ...["/ledger", `/ledger/${allotment.uid}`, "/orders", "/orders/a1", "/orders/b1", "/approvals"],
    ...["", "/earning", "/tiers", "/expiration", "/campaigns", "/bonuses", "/versions"].map((tab) => `/program${tab}`),
    ...["/program/campaigns?month=2026-02&open=0", "/results", "/results/benefits"],
    ...["", "/guests", "/joined", "/tiers"].map((tab) => `/growth${tab}`),
    ...["/liability?month=2026-01", "/liability?month=2026-02", "/liability/issued?month=2026-01&cohort=2026-01"],
    ...["/csv", "/csv/exports", `/csv/imports/${file}`, "/messages", "/messages/birthday", "/reports", "/mails"],
    ...["/alerts", "/audit", `/audit/${entry.id}`, "/jobs", "/intake", "/webhooks", "/webhooks/deliveries", "/people"],
    ...["/credentials", "/appearance", "/account", "/glossary", "/download?file=/orders.csv"],
  ];
}

test("every page of the router is visited", () => {
  const routes = [...readFileSync(ROUTER, "utf8").matchAll(/\bpage\("([^"]+)"/g)].map(([, path = ""]) => path);
  expect(routes.length).toBeGreaterThan(25);
  const visits = (route: string) => {
    const form = route.replaceAll(/\/\{-\$\w+\}/g, "(/[^/]+)?").replaceAll(/\$\w+/g, "[^/]+");
    return paths.some((path) => new RegExp(`^${form}$`).test(path.split("?", 1)[0] ?? ""));
  };
  expect(routes.filter((route) => !visits(route))).toEqual([]);
});

test.each(["en", "ja"] as const)(
  "no page in %s shows a day or a month as machines write it",
  async (language) => {
    const page = await shop.open({ role: "owner", language, path: "/" });
    const found: string[] = [];
    let before = "";
    for (const path of paths) {
      await shop.go(page, path);
      const shown = await page.locator("body").innerText();
      // the deliveries are what /webhooks shows first
      if (path !== "/" && path !== "/webhooks/deliveries")
        expect(shown, `${path} is not the page before it`).not.toBe(before);
      before = shown;
      found.push(...(await rawDates(page)).map((text) => `${path}: ${text}`));
    }
    expect(found).toEqual([]);
  },
  240_000,
);
