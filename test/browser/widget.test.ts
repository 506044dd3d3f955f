import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowStorefrontOrigin } from "../../src/credentials/allow-storefront-origin.ts";
import { makeKey } from "../support/customer-token.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";
import { buildDashboard } from "./support/build-dashboard.ts";
import { launchChromium } from "./support/launch-chromium.ts";
import { lookAt } from "./support/look.ts";
import { type Shop, startShop } from "./support/start-shop.ts";

const API = "/api/storefront";
const SIZE_MAX = 15_000;
const GOLD = 'Gold <img src=x onerror="alert(1)">';
const PROGRAM = {
  store: { currency: "JPY", time_zone: "Asia/Tokyo" },
  tiers: {
    rules: [
      { name: "Silver", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
      { name: GOLD, currency_spent_requirement: 50_000, point_value: 3, currency_value: 100 },
    ],
  },
  expiration: { delay_months: 12 },
};

let service: TestService;
let browser: Browser;
let shop: Shop;
let other: Shop;

beforeAll(async () => {
  await buildDashboard();
  [browser, service] = await Promise.all([
    launchChromium(),
    startTestService({ worker: false, program: PROGRAM, now: "2026-03-01T12:00:00Z" }),
  ]);
  const key = await makeKey(service.deps);
  shop = await startShop({ service: service.url, key });
  other = await startShop({ service: service.url, key });
  await allowStorefrontOrigin(service.deps, shop.url);
  for (const id of ["7", "8", "9", "10"]) {
    await service.client.put(`${API}/customers/${id}`, {});
    await service.client.post(`${API}/point_allotments`, { customer_id: id, point_value: 1_320 });
  }
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([shop?.close(), other?.close()]);
  await service?.stop();
});

interface PointsElement {
  cart: object;
  refresh(): Promise<void>;
  setAttribute(name: string, value: string): void;
}

interface Opened {
  readonly page: Page;
  readonly faults: string[];
}

async function open(query: string, { of = shop, width = 800 }: { of?: Shop; width?: number } = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width, height: 700 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await page.goto(`${of.url}/?${query}`);
  return { page, faults };
}

const state = (page: Page, name: string) => page.locator(`pointkeeper-points[state="${name}"]`).waitFor();
const PRODUCT = `attributes=${encodeURIComponent('product-id="55" price="2200" quantity="3"')}`;
const balanceOf = async (id: string) =>
  (await service.client.get(`${API}/point_balances/${id}`)).body.data.point_balance;
const look = (page: Page, faults: string[], name: string) =>
  lookAt(page, { faults, inFlight: new Set(), expected: new Set() }, name);

test("is one script below 15 kB in gzip, without imports, that any page may load", async () => {
  const script = readFileSync(join(import.meta.dirname, "../../dashboard/dist/widget/widget.js"));
  expect(gzipSync(script, { level: 9 }).length).toBeLessThan(SIZE_MAX);
  expect(script.toString()).not.toMatch(/\bimport\s*(?:\(|["'{*])|\beval\(|innerHTML/);
  const served = await fetch(`${service.url}/widget.js`);
  expect(Buffer.from(await served.arrayBuffer()).equals(script)).toBe(true);
  expect(served.headers.get("access-control-allow-origin")).toBe("*");
  expect(served.headers.get("cache-control")).toContain("max-age=3600");
});

describe("on a page of another origin", () => {
  test("shows balance, expiry, tier, and the product's points as the preview has them", async () => {
    const { page, faults } = await open(`customer=7&${PRODUCT}`);
    await state(page, "ready");
    await page.getByText("1,320 points worth ¥1,320").waitFor();
    const money = { minor: 2_200, currency: "JPY" };
    const preview = await service.client.post(`${API}/orders/preview`, {
      customer_id: "7",
      lines: [{ product_id: "55", quantity: 3, unit_price: money }],
    });
    expect(preview.body.data.points).toBe(66);
    await page.getByText(`Earn ${preview.body.data.points} points with this product`).waitFor();
    await page.getByText(/^Use 1,320 points by \w+ \d+, 2027$/).waitFor();
    await page.getByText("Tier: Silver").waitFor();
    await page.getByText(`Spend ¥50,000 more by`).waitFor();
    expect(await page.getByRole("progressbar").getAttribute("aria-label")).toBe(`Progress toward ${GOLD}`);
    await look(page, faults, "widget");
    await page
      .locator("pointkeeper-points")
      .evaluate((element) => (element as PointsElement).setAttribute("quantity", "5")); // cast: the page's own element
    await page.getByText("Earn 110 points with this product").waitFor();
    await page.locator("pointkeeper-points").evaluate((element) => {
      (element as PointsElement).cart = { lines: [{ product_id: "1", price: "9900" }] }; // cast: the page's own element
    });
    await page.getByText("Earn 99 points with this order").waitFor();
  });

  test.each([
    ["en", 320],
    ["ja", 320],
    ["ja", 800],
  ])("in %s at %i pixels", async (lang, width) => {
    const { page, faults } = await open(`customer=8&lang=${lang}&${PRODUCT}`, { width });
    await state(page, "ready");
    await page.getByText(lang === "ja" ? "この商品で66ポイント獲得" : "Earn 66 points").waitFor();
    await page.getByRole("textbox").fill(lang === "ja" ? "５００" : "500");
    await page
      .getByRole("button", {
        name: lang === "ja" ? "500ポイントを￥500引きクーポンに交換" : "Redeem 500 points for ¥500 off",
      })
      .waitFor();
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(overflow)).toBe(0);
    await look(page, faults, `widget-${lang}-${width}`);
  });
});

describe("redeems once", () => {
  test("though it is clicked twice, and shows the coupon", async () => {
    const { page, faults } = await open("customer=9");
    await page.getByLabel("Points to redeem").fill("9999");
    await page.keyboard.press("Enter");
    await page.getByText("Enter a whole number from 1 to 1,320.").waitFor();
    await look(page, faults, "widget-wrong-amount");
    await page.getByLabel("Points to redeem").fill("300");
    await page.getByRole("button", { name: "Redeem 300 points for ¥300 off" }).dblclick();
    await page.getByText(/^Your coupon [A-Z0-9-]{14} is worth ¥300\.$/).waitFor();
    await page.getByText("1,020 points worth").waitFor();
    expect(await balanceOf("9")).toBe(1_020);
    await page.getByRole("button", { name: /^Copy [A-Z0-9-]{14}$/ }).waitFor();
    await look(page, faults, "widget-coupon");
  });

  test("though its answer was lost, and the token ended meanwhile", async () => {
    const { page } = await open("customer=10");
    await page.getByLabel("Points to redeem").fill("100");
    const keys: (string | undefined)[] = [];
    await page.route("**/api/customer/coupons", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      if (keys.length > 1) return route.continue();
      await route.fetch(); // done, and the answer gets lost
      await route.abort("connectionreset");
    });
    await page.getByRole("button", { name: /^Redeem 100 points/ }).click();
    await page.getByText(/^Your coupon [A-Z0-9-]{14} is worth ¥100\.$/).waitFor();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await balanceOf("10")).toBe(1_220);
  });
});

describe("redeems nothing of another customer, who has signed in since in another tab", () => {
  const refusal = {
    status: 401,
    json: { errors: [{ status: "401", title: "Token has expired", code: "token_expired" }] },
    headers: { "access-control-allow-origin": "*" },
  };

  /** The page of a customer with 500 points, whose next tokens are of one with 900; `sent` counts redemptions. */
  async function openOfTwo(shown: string, next: string) {
    await service.client.put(`${API}/customers/${shown}`, {});
    await service.client.put(`${API}/customers/${next}`, {});
    await service.client.post(`${API}/point_allotments`, { customer_id: shown, point_value: 500 });
    await service.client.post(`${API}/point_allotments`, { customer_id: next, point_value: 900 });
    const { page } = await open(`customer=${shown}`);
    await page.getByLabel("Points to redeem").fill("300");
    const others = await (await fetch(`${shop.url}/token?customer=${next}`)).json();
    await page.route("**/token?*", (route) => route.fulfill({ json: others }));
    let count = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/api/customer/coupons")) count += 1;
    });
    return { page, sent: () => count };
  }

  test("where the token of the redemption is over", async () => {
    const { page, sent } = await openOfTwo("11", "12");
    await page.route("**/api/customer/coupons", (route) => route.fulfill(refusal), { times: 1 });
    await page.getByRole("button", { name: /^Redeem 300 points/ }).click();
    await page.getByText("900 points worth").waitFor();
    expect(sent()).toBe(1);
    expect(await page.getByLabel("Points to redeem").inputValue()).toBe("");
    expect([await balanceOf("11"), await balanceOf("12")]).toEqual([500, 900]);
  });

  test("where the page was loaded again meanwhile: nothing of the first customer is left on it", async () => {
    const { page, sent } = await openOfTwo("13", "14");
    await page.route("**/api/customer/summary", (route) => route.fulfill(refusal), { times: 1 });
    const { promise: isReloaded, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/customer/coupons", (route) => isReloaded.then(() => route.fulfill(refusal)), { times: 1 });
    await page.getByRole("button", { name: /^Redeem 300 points/ }).click();
    await page.locator("pointkeeper-points").evaluate((element) => (element as PointsElement).refresh()); // cast: it is ours
    await page.getByText("900 points worth").waitFor();
    expect(await page.getByLabel("Points to redeem").inputValue()).toBe("");
    const reread = page.waitForResponse("**/api/customer/summary");
    release();
    await reread;
    await state(page, "ready");
    expect(await page.getByRole("status").textContent()).toBe("");
    expect(sent()).toBe(1);
    expect([await balanceOf("13"), await balanceOf("14")]).toEqual([500, 900]);
  });

  test("where the redemption was done meanwhile: its coupon is not named to the other one", async () => {
    const { page } = await openOfTwo("15", "16");
    await page.route("**/api/customer/summary", (route) => route.fulfill(refusal), { times: 1 });
    const { promise: isReloaded, resolve: release } = Promise.withResolvers<void>();
    const answered = page.waitForResponse("**/api/customer/coupons");
    await page.route("**/api/customer/coupons", async (route) => {
      const response = await route.fetch();
      await isReloaded;
      await route.fulfill({ response });
    });
    await page.getByRole("button", { name: /^Redeem 300 points/ }).click();
    await page.locator("pointkeeper-points").evaluate((element) => (element as PointsElement).refresh()); // cast: it is ours
    await page.getByText("900 points worth").waitFor();
    const reread = page.waitForResponse("**/api/customer/summary");
    release();
    await Promise.all([answered, reread]);
    expect(await page.getByRole("status").textContent()).toBe("");
    expect([await balanceOf("15"), await balanceOf("16")]).toEqual([200, 900]);
  });
});

describe("says what is the matter", () => {
  test("a token that is over is renewed", async () => {
    shop.expireNext(1);
    const before = shop.tokens();
    const { page } = await open("customer=7");
    await state(page, "ready");
    expect(shop.tokens() - before).toBe(2);
  });

  test("nobody is signed in", async () => {
    const { page, faults } = await open("");
    await state(page, "signed-out");
    await page.getByText("Sign in to see your points.").waitFor();
    await look(page, faults, "widget-signed-out");
  });

  test("the shop's server answers with an error instead of a token: the customer is not called signed out", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.route("**/token?*", (route) => route.fulfill({ status: 500, json: { error: "no session store" } }));
    await page.goto(`${shop.url}/?customer=7`);
    await state(page, "failed");
    await page.unroute("**/token?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("1,320 points worth").waitFor();
  });

  test("a page of an origin that is not allowed reads nothing, and tries again when told to", async () => {
    const { page, faults } = await open("customer=7", { of: other });
    await state(page, "failed");
    expect(faults.join("\n")).toContain("CORS");
    await page.getByText("Your points cannot be shown just now.").waitFor();
    expect(await page.locator("pointkeeper-points").innerText()).not.toContain("1,320");
    await look(page, [], "widget-failed");
    await allowStorefrontOrigin(service.deps, other.url);
    const retry = page.getByRole("button", { name: "Try again" });
    await waitUntil(async () => {
      if (await retry.isVisible()) await retry.press("Enter");
      return page.locator("pointkeeper-points[state=ready]").isVisible();
    });
    await page.getByText("1,320 points worth").waitFor();
  });
});
