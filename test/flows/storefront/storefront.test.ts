import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueCoupon } from "../../../src/coupons/issue-coupon.ts";
import { allowStorefrontOrigin } from "../../../src/credentials/allow-storefront-origin.ts";
import { removeStorefrontOrigin } from "../../../src/credentials/remove-storefront-origin.ts";
import { bearer, makeKey, type StorefrontKey } from "../../support/customer-token.ts";
import { mergeInto } from "../../support/customers.ts";
import { refusedWithin } from "../../support/refused-within.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";
const SHOP = "https://shop.example.com";
const PROGRAM = {
  store: { currency: "USD", time_zone: "America/New_York" },
  earning: { excluded_product_tags: ["no-points"], rounding: "half_up" },
  tiers: {
    rules: [
      { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
      { name: "Gold", currency_spent_requirement: 50_000, point_value: 3, currency_value: 100 },
    ],
  },
  expiration: { delay_months: 12 },
  coupons: { point_worth: 2, lifetime_hours: 48 },
};

let service: TestService;
let key: StorefrontKey;

beforeAll(async () => {
  service = await startTestService({ worker: false, program: PROGRAM, now: "2026-03-01T12:00:00Z" });
  key = await makeKey(service.deps);
  await allowStorefrontOrigin(service.deps, `${SHOP}/`);
  await put("7");
  await put("gold");
  await service.client.post(`${API}/point_balances/gold/tiers`, { tier: "Gold" });
  await give("7", 700);
  await service.client.put(`${API}/products/55`, { tags: ["no-points"], collections: [] });
});
afterAll(() => service.stop());

const put = (id: string) => service.client.put(`${API}/customers/${id}`, { email: `${id}@example.com`, name: "Hana" });
const give = (id: string, points: number) =>
  service.client.post(`${API}/point_allotments`, { customer_id: id, point_value: points });
const as = (id: string, more: object = {}) => service.client.as(bearer(key, id, more));
const summary = async (id: string) => (await as(id).get("/api/customer/summary")).body.data;
const redeem = (id: string, points: number, idempotencyKey: string) =>
  as(id).post("/api/customer/coupons", { points }, { "idempotency-key": idempotencyKey });

describe("the summary", () => {
  test("has balance, worth, expiries, tier and progress, and nothing of the person", async () => {
    const { headers, body, text } = await as("7").get("/api/customer/summary");
    expect(body.data).toMatchObject({
      points: 700,
      worth: { amount: "14.00", currency: "USD" },
      time_zone: "America/New_York",
      tier: { name: "Bronze", next: { name: "Gold", remaining: { amount: "500.00" } }, to_keep: null },
      redemption: { point_worth: { amount: "0.02" }, lifetime_hours: 48 },
      coupons: [],
    });
    expect(body.data.expiries.map(({ points }: { points: number }) => points)).toEqual([700]);
    expect(text).not.toMatch(/Hana|example\.com/);
    expect(headers.get("set-cookie")).toBeNull();
  });

  test("says what keeps a tier", async () => {
    expect((await summary("gold")).tier).toMatchObject({ name: "Gold", next: null, to_keep: { amount: "500.00" } });
  });

  test("is the same for a new customer, an unknown one and a deleted one", async () => {
    await put("new");
    await put("gone");
    await give("gone", 90);
    await service.owner.execute("update customer set deleted_at = now() where storefront_id = 'gone'");
    const expected = await as("new").get("/api/customer/summary");
    expect(expected.body.data.points).toBe(0);
    for (const id of ["nobody", "gone"]) {
      const answer = await as(id).get("/api/customer/summary");
      expect([answer.status, answer.text]).toEqual([200, expected.text]);
    }
  });
});

describe("the points of a cart", () => {
  const cart = (id: string, lines: object[], more: object = {}) =>
    as(id).post("/api/customer/cart", { lines, ...more });

  test.each(["7", "gold", "nobody"])("are those of the preview: %s", async (id) => {
    const { body } = await cart(id, [
      { product_id: "1", quantity: 3, price: "19.99" },
      { product_id: 55, price: "80" },
      { product_id: "2", price: "120.50", discount: "20.50", tax: "8.20" },
    ]);
    const money = (minor: number) => ({ minor, currency: "USD" });
    const preview = await service.client.post(`${API}/orders/preview`, {
      customer_id: id,
      lines: [
        { product_id: "1", quantity: 3, unit_price: money(1_999) },
        { product_id: "55", quantity: 1, unit_price: money(8_000) },
        {
          product_id: "2",
          quantity: 1,
          unit_price: money(12_050),
          discounts: [{ amount: money(2_050) }],
          tax: money(820),
        },
      ],
    });
    const { points, lines } = preview.body.data;
    expect(points).toBeGreaterThan(100);
    expect(body.data.points).toBe(points);
    expect(body.data.lines.map((line: { points: number }) => line.points)).toEqual(
      lines.map((line: { points: number }) => line.points),
    );
    expect(body.data.lines[1]).toEqual({ product_id: "55", points: 0 });
  });

  test("are refused with the field for what is no cart", async () => {
    const line = { product_id: "1", price: "10" };
    const faults = async (lines: object[], more: object = {}) => {
      const { status, body } = await cart("7", lines, more);
      return `${status} ${body.errors[0].source?.pointer}`;
    };
    expect(await faults([])).toBe("422 /lines");
    expect(await faults(Array.from({ length: 251 }, () => line))).toBe("422 /lines");
    expect(await faults([{ product_id: "1" }])).toMatch("422 /lines/0");
    expect(await faults([{ ...line, price: "-1" }])).toBe("422 /lines/0/price");
    expect(await faults([{ ...line, price: 10 }])).toBe("422 /lines/0/price");
    expect(await faults([line, { ...line, price: "1.005" }])).toBe("422 /lines/1/price");
    expect(await faults([{ ...line, quantity: 0 }])).toBe("422 /lines/0/quantity");
    expect(await faults([line], { currency: "dollars" })).toBe("422 /currency");
  });

  test("take no other customer from the page", async () => {
    const { body } = await cart("7", [{ product_id: "1", price: "100" }], { customer_id: "gold", email: "gold@x.jp" });
    expect(body.data.points).toBe(100);
  });
});

describe("redeeming", () => {
  test("takes points once for a key, also with a renewed token and when asked at once", async () => {
    const before = (await summary("7")).points;
    const answers = await Promise.all([1, 2, 3, 4].map(() => redeem("7", 150, "click-1")));
    const codes = new Set(answers.map(({ body }) => body.data.code));
    expect(codes.size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[0]?.body.data).toMatchObject({ points: 150, value: { amount: "3.00", currency: "USD" } });
    const later = await as("7", { exp: Math.floor(Date.now() / 1_000) + 300 }).post(
      "/api/customer/coupons",
      { points: 150 },
      { "idempotency-key": "click-1" },
    );
    expect(later.headers.get("idempotent-replayed")).toBe("true");
    const after = await summary("7");
    expect(after.points).toBe(before - 150);
    expect(after.coupons).toMatchObject([{ code: [...codes][0], points: 150 }]);
    const allotments = (await service.client.get(`${API}/point_allotments/7`)).body.data;
    expect(allotments.at(-1)).toMatchObject({ point_value: -150, app_reference: "storefront/shop" });
  });

  test("shows the coupons of a customer who was merged to the one who has the points now", async () => {
    for (const id of ["stays", "goes"]) await put(id);
    await give("goes", 50);
    const { code } = (await redeem("goes", 30, "before")).body.data;
    await mergeInto(service.deps, "goes", "stays");
    expect(await summary("stays")).toMatchObject({ points: 20, coupons: [{ code, points: 30 }] });
  });

  test("keeps the keys of customers apart", async () => {
    await put("9");
    await give("9", 50);
    expect((await redeem("9", 20, "click-1")).body.data.points).toBe(20);
    expect((await redeem("7", 20, "click-1")).status).toBe(422);
  });

  test("is refused to a customer with 50 unused coupons, whose repeated request still gets its answer", async () => {
    await put("saver");
    await give("saver", 100);
    const coupon = { customer: "saver", pointValue: 1n, productIds: null, appReference: "test" };
    await service.deps.db.tx(async (tx) => {
      for (let n = 1; n < 50; n++) await issueCoupon(tx, service.deps, coupon);
    });
    const keys = ["a", "b", "c"];
    const answers = await Promise.all(keys.map((each) => redeem("saver", 1, each)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    const made = answers.findIndex(({ status }) => status === 200);
    expect((await redeem("saver", 1, keys[made] ?? "")).body).toEqual(answers[made]?.body);
    const refused = await redeem("saver", 1, "one more");
    expect(refused.body.errors[0].source).toEqual({ pointer: "/points" });
    expect((await summary("saver")).points).toBe(50);
  });

  test("is refused without a key, beyond the balance, and of nothing", async () => {
    const keyless = await as("7").post("/api/customer/coupons", { points: 1 });
    expect([keyless.status, keyless.body.errors[0].source]).toEqual([422, { parameter: "Idempotency-Key" }]);
    expect((await redeem("7", 100_000, "too many")).body.errors[0].code).toBe("negative_balance");
    expect((await redeem("nobody", 1, "n")).body.errors[0].code).toBe("negative_balance");
    for (const [n, points] of [0, -5, 1.5, "10", null].entries())
      expect((await redeem("7", points as number, `bad-${n}`)).status).toBe(422); // cast: what is no number of points
  });
});

describe("pages", () => {
  const fetchAs = (method: string, path: string, origin: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { method, headers: { origin, ...headers } });

  test("of an allowed origin read answers and refusals", async () => {
    const right = await fetchAs("GET", "/api/customer/summary", SHOP, { authorization: bearer(key, "7") });
    expect([right.status, right.headers.get("access-control-allow-origin")]).toEqual([200, SHOP]);
    expect(right.headers.get("access-control-allow-credentials")).toBeNull();
    expect(right.headers.get("vary")).toContain("origin");
    const refused = await fetchAs("GET", "/api/customer/summary", SHOP);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, SHOP]);
  });

  test("of other origins are refused, however much they look alike", async () => {
    const origins = ["https://evil.example", "https://shop.example.com.evil.example", "https://xshop.example.com"];
    for (const origin of [
      ...origins,
      "http://shop.example.com",
      `${SHOP}:8443`,
      "null",
      "*",
      "HTTPS://SHOP.EXAMPLE.COM",
    ]) {
      const answer = await fetchAs("GET", "/api/customer/summary", origin, { authorization: bearer(key, "7") });
      expect([answer.status, answer.headers.get("access-control-allow-origin")], origin).toEqual([403, null]);
      const preflight = await fetchAs("OPTIONS", "/api/customer/summary", origin);
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
  });

  test("send a preflight that costs nothing and is kept", async () => {
    const asked = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
    const preflight = await fetchAs("OPTIONS", "/api/customer/coupons", SHOP, asked);
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(SHOP);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
    expect(Number(preflight.headers.get("access-control-max-age"))).toBeGreaterThan(600);
  });

  test("elsewhere in the service have no leave to ask", async () => {
    const answer = await fetchAs("GET", `${API}/tiers`, SHOP, { authorization: bearer(key, "7") });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const unknown = await fetchAs("GET", "/api/customer/nothing", SHOP);
    expect(unknown.status).toBe(404);
  });

  test("of an origin that was removed are refused", async () => {
    await allowStorefrontOrigin(service.deps, "https://old.example");
    const ask = () => fetchAs("OPTIONS", "/api/customer/summary", "https://old.example");
    expect((await ask()).status).toBe(204);
    await removeStorefrontOrigin(service.deps, "https://old.example");
    await refusedWithin(2_000, async () => (await ask()).status === 403);
  });

  test.each([
    "*",
    "https://*.example.com",
    "https://shop.example.com/path",
    "http://shop.example.com",
    "shop.example.com",
  ])("%s is no origin", async (text) => {
    await expect(allowStorefrontOrigin(service.deps, text)).rejects.toMatchObject({ code: "invalid" });
  });
});

test("one customer's page asks so often, and no other has to wait", async () => {
  const limited = await startTestService({
    worker: false,
    database: service.database,
    config: { limits: { ...service.deps.config.limits, customerRate: 3 } },
  });
  try {
    const ask = async (id: string) => (await limited.client.as(bearer(key, id)).get("/api/customer/summary")).status;
    expect([await ask("7"), await ask("7"), await ask("7"), await ask("7")]).toEqual([200, 200, 200, 429]);
    expect(await ask("8")).toBe(200);
  } finally {
    await limited.stop();
  }
});
