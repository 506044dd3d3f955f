import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allowStorefrontOrigin } from "../../src/credentials/allow-storefront-origin.ts";
import { makeKey } from "../support/customer-token.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { buildDashboard } from "./support/build-dashboard.ts";
import { launchChromium } from "./support/launch-chromium.ts";
import { lookAt } from "./support/look.ts";
import { type Shop, startShop } from "./support/start-shop.ts";

const API = "/api/storefront";
const CUSTOMER = "8";
const RULE = { point_value: 1, currency_value: 100 };
const PROGRAM = {
  store: { currency: "JPY", time_zone: "Asia/Tokyo" },
  tiers: {
    rules: [
      { name: "Silver", default: true, currency_spent_requirement: 0, ...RULE },
      { name: "Gold", currency_spent_requirement: 50_000, ...RULE },
    ],
  },
  expiration: { delay_months: 12 },
};
const LONG = "いつもご愛顧いただいているお客さま限定プレミアムゴールドクラブ会員";
const MOST = 9_007_199_254_740_991;
const MONEY = { amount: String(MOST), currency: "JPY" };
const COUPON = { code: "ACDE-3467-WXYR", value: MONEY, points: MOST, expires_at: "2027-12-30T14:59:59.999999Z" };
/** The colours for dark pages that the document of the widget recommends. */
const DARK =
  /prefers-color-scheme: dark\) \{\n([\s\S]*?)\n\}\n/.exec(readFileSync("docs/widget.md", "utf8"))?.[1] ?? "";
/** How far a part of the widget reaches out of its element, in pixels. */
const OVERFLOW = `(() => {
  const element = document.querySelector("pointkeeper-points");
  const right = element.getBoundingClientRect().right;
  const parts = [...element.shadowRoot.querySelectorAll("*")];
  return Math.max(0, ...parts.map((part) => part.getBoundingClientRect().right - right));
})()`;
const OTHER_ORIGIN = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };

let service: TestService;
let browser: Browser;
let shop: Shop;

beforeAll(async () => {
  await buildDashboard();
  [browser, service] = await Promise.all([
    launchChromium(),
    startTestService({ worker: false, program: PROGRAM, now: "2026-03-01T12:00:00Z" }),
  ]);
  shop = await startShop({ service: service.url, key: await makeKey(service.deps) });
  await allowStorefrontOrigin(service.deps, shop.url);
  await service.client.put(`${API}/customers/${CUSTOMER}`, {});
  await service.client.post(`${API}/point_allotments`, { customer_id: CUSTOMER, point_value: 1_320 });
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await service?.stop();
});

/** A page of the width, whose style is set before the widget is looked at; `meet` arranges what its requests meet. */
async function open(query: string, { width = 800, style = "", meet = async (_: Page) => {} } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 700 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await meet(page);
  await page.goto(`${shop.url}/?customer=${CUSTOMER}&${query}`);
  // a constructed sheet: the shop's policy allows no style element
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(style)});
    document.adoptedStyleSheets = [sheet];
  })()`);
  return page;
}

const state = (page: Page, name: string) => page.locator(`pointkeeper-points[state="${name}"]`).first().waitFor();
const look = (page: Page, name: string) => lookAt(page, { faults: [], inFlight: new Set(), expected: new Set() }, name);

/** A customer with as many points as there may be, coupons, and tiers of long names. */
async function withLongTexts(page: Page): Promise<void> {
  await page.route("**/api/customer/summary", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const next = { name: LONG, requirement: MONEY, remaining: MONEY };
    const shown = {
      ...{ points: MOST, worth: MONEY, coupons: [COUPON, { ...COUPON, code: "A".repeat(40) }] },
      expiries: data.expiries.map((expiry: object) => ({ ...expiry, points: MOST })),
      tier: { ...data.tier, name: LONG, next, to_keep: MONEY },
    };
    await route.fulfill({ response, json: { data: { ...data, ...shown } } });
  });
}

describe("long Japanese texts fit", () => {
  test.each([
    ["telephone", 360, ""],
    ["side-bar", 800, "pointkeeper-points { width: 160px; }"],
    ["dark", 360, `:root { color-scheme: dark; background: #0d1117; color: #e6edf3; } ${DARK}`],
  ])("%s, %i pixels", async (name, width, style) => {
    expect(DARK).toContain("--pk-accent-text");
    const product = encodeURIComponent('product-id="55" price="2200" quantity="3"');
    const page = await open(`lang=ja&attributes=${product}`, { width, style, meet: withLongTexts });
    await state(page, "ready");
    await page.getByText("この商品で66ポイント獲得").waitFor();
    await page.getByRole("textbox").fill(String(MOST));
    await page.getByRole("button", { name: "引きクーポンに交換" }).waitFor();
    expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0.5);
    await look(page, `widget-long-${name}`);
  });
});

test("inside a component of the page it has the page's language", async () => {
  const page = await open("lang=ja");
  await state(page, "ready");
  await page.evaluate(`(() => {
    const host = document.querySelector("main").appendChild(document.createElement("div"));
    const inner = document.createElement("pointkeeper-points");
    inner.id = "inner";
    inner.setAttribute("token-url", document.querySelector("pointkeeper-points").getAttribute("token-url"));
    host.attachShadow({ mode: "open" }).append(inner);
  })()`);
  await page.locator("#inner[state=ready]").getByText("会員ランク：Silver").waitFor();
});

describe("while it is shown", () => {
  test("a busy service is asked again when it says", async () => {
    const askedMs: number[] = [];
    const meet = (page: Page) =>
      page.route("**/api/customer/summary", async (route) => {
        askedMs.push(performance.now());
        if (askedMs.length > 1) return route.continue();
        const headers = { ...OTHER_ORIGIN, "retry-after": "2" };
        await route.fulfill({ status: 503, headers, json: { errors: [{ code: "unavailable" }] } });
      });
    const page = await open("", { meet: async (one) => void (await meet(one)) });
    await page.getByText("1,320 points worth").waitFor();
    expect((askedMs[1] ?? 0) - (askedMs[0] ?? 0)).toBeGreaterThan(2_000);
  });

  test("the session ends: redeeming takes nothing, and the words for signing in have the focus", async () => {
    const page = await open("");
    await page.getByLabel("Points to redeem").fill("100");
    await page.route("**/token?*", (route) => route.fulfill({ json: { token: null } }));
    const json = { errors: [{ status: "401", title: "Token has expired", code: "token_expired" }] };
    await page.route("**/api/customer/coupons", (route) => route.fulfill({ status: 401, json, headers: OTHER_ORIGIN }));
    await page.getByRole("button", { name: /^Redeem 100 points/ }).press("Enter");
    await state(page, "signed-out");
    const focused = `document.querySelector("pointkeeper-points").shadowRoot.activeElement?.textContent`;
    expect(await page.evaluate(focused)).toBe("Sign in to see your points.");
    const { body } = await service.client.get(`${API}/point_balances/${CUSTOMER}`);
    expect(body.data.point_balance).toBe(1_320);
    await look(page, "widget-session-over");
  });
});
