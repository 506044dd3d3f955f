import { expect, test } from "vitest";
import { readAnswer } from "./answer.ts";
import { changedUrl, readChangedPage } from "./changed-resources.ts";
import { countChanged } from "./connection.ts";
import { createDiscount, foreignField } from "./discount-code.ts";

const at = (status: number, body: unknown, retryAfter?: string) =>
  readAnswer({ status, retryAfter, body: typeof body === "string" ? body : JSON.stringify(body) }).kind;

const failed = (code?: string) => ({
  errors: [{ message: "no", ...(code === undefined ? {} : { extensions: { code } }) }],
});

test("only what certainly did nothing counts as refused or throttled; whatever else fails may have been done", () => {
  expect(at(200, { data: { shop: null } })).toBe("data");
  for (const status of [400, 401, 402, 403, 404, 423]) expect(at(status, { errors: "no" })).toBe("refused");
  for (const code of ["ACCESS_DENIED", "SHOP_INACTIVE", "INVALID_VARIABLE"])
    expect(at(200, failed(code))).toBe("refused");
  for (const status of [302, 408, 500, 502, 503, 504]) expect(at(status, "")).toBe("unknown");
  for (const code of ["INTERNAL_SERVER_ERROR", "TIMEOUT", undefined]) expect(at(200, failed(code))).toBe("unknown");
  for (const body of ["", "<html>", "[]", "{}", { data: null }]) expect(at(200, body)).toBe("unknown");
  expect([at(429, ""), at(200, failed("THROTTLED"))]).toEqual(["throttled", "throttled"]);
});

test("throttling says how long to wait, within reason", () => {
  const waitOf = (retryAfter: string | undefined) => {
    const result = readAnswer({ status: 429, retryAfter, body: "" });
    return result.kind === "throttled" ? result.waitMs : null;
  };
  expect(["2.0", "0.05", "9999", "soon", undefined].map(waitOf)).toEqual([2_000, 50, 60_000, 1_000, 1_000]);
  const cost = { requestedQueryCost: 110, throttleStatus: { currentlyAvailable: 10, restoreRate: 50 } };
  const body = JSON.stringify({ ...failed("THROTTLED"), extensions: { cost } });
  expect(readAnswer({ status: 200, retryAfter: undefined, body })).toEqual({ kind: "throttled", waitMs: 2_000 });
});

test("amounts are decimals of the store's currency, ids those of the platform", () => {
  const instant = Temporal.Instant.from("2026-03-01T00:00:00.9Z");
  const input = {
    couponUid: "u",
    code: "C",
    storefrontId: "7",
    email: null,
    productIds: null,
    startsAt: instant,
    endsAt: instant,
  };
  const amountOf = (currencyValue: bigint, currency: string) =>
    JSON.stringify(createDiscount({ ...input, currencyValue, currency }).variables).match(/"amount":"([^"]+)"/)?.[1];
  expect([amountOf(1_250n, "JPY"), amountOf(1_250n, "USD"), amountOf(1_250n, "BHD")]).toEqual([
    "1250",
    "12.50",
    "1.250",
  ]);
  expect(foreignField({ storefrontId: "820982911946154508", productIds: ["1"] })).toBeNull();
  expect(foreignField({ storefrontId: "ann", productIds: null })).toBe("/customer_id");
  expect(foreignField({ storefrontId: "7", productIds: ["1", "pot"] })).toBe("/product_ids");
});

test("the token follows no page to another host", () => {
  const url = changedUrl(
    "https://tea.myshopify.com/admin/api/2026-04/graphql.json",
    "orders",
    Temporal.Instant.from("2026-03-01T00:00:00Z"),
  );
  expect(url).toContain("https://tea.myshopify.com/admin/api/2026-04/orders.json?limit=250&updated_at_min=2026-03-01");
  const page = (link: string) =>
    readChangedPage({ body: '{"orders":[]}', link: `<${link}>; rel="next"`, url }, "orders");
  expect(page("https://tea.myshopify.com/next")).toEqual({
    resources: [],
    changedAt: null,
    nextUrl: "https://tea.myshopify.com/next",
  });
  expect(page("https://evil.example/next")).toBe("the next page is elsewhere");
});

test("customers and orders are counted without the platform's limit of 10,000", () => {
  for (const resource of ["customers", "orders"] as const) {
    const { query, variables } = countChanged(resource, Temporal.Instant.from("2026-03-01T00:00:00Z"));
    expect(query).toContain("$limit: Int");
    expect(variables).toEqual({ query: "updated_at:>='2026-03-01T00:00:00Z'", limit: null });
  }
});
