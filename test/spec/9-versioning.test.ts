import { afterAll, beforeAll, expect, test } from "vitest";
import { createProbe } from "../support/probe-routes.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
const NEWER = { "x-api-version": "2.0.0" };
const PATH = "/api/storefront/probe";

beforeAll(async () => {
  service = await startTestService({ worker: false, extraRoutes: createProbe().routes });
});

afterAll(() => service.stop());

test("x-api-version 2.0.0 gets the newer shape of errors", async () => {
  const answer = await service.client.post(PATH, { point_value: "5" }, NEWER);
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({
    status: 422,
    title: "Invalid value",
    errors: [
      { title: "Invalid value", code: "invalid", detail: expect.any(String), source: { pointer: "/point_value" } },
    ],
  });
});

test("so do a 404 and a 401", async () => {
  expect((await service.client.get("/nothing", NEWER)).body).toEqual({
    status: 404,
    title: "Not found",
    errors: [{ title: "Not found", code: "not_found" }],
  });
  expect((await service.client.as(null).get(PATH, NEWER)).body).toMatchObject({ status: 401 });
});

test("another version, and none, get the documented shape", async () => {
  for (const headers of [{}, { "x-api-version": "1.0.0" }]) {
    expect((await service.client.get("/nothing", headers)).body).toEqual({
      errors: [{ status: "404", title: "Not found", code: "not_found" }],
    });
  }
});

test("the document is OpenAPI 3.1, and the same for every platform but for the field with the customer's id", async () => {
  const other = await startTestService({
    worker: false,
    extraRoutes: createProbe().routes,
    config: { platform: "shopify" },
  });
  const answer = await service.client.as(null).get("/openapi.json");
  expect(answer.body.openapi).toMatch(/^3\.1\./);
  expect(answer.body.components.securitySchemes).toMatchObject({
    basic: { scheme: "basic" },
    bearer: { scheme: "bearer" },
  });
  expect(Object.keys(answer.body.paths)).toContain("/api/storefront/probe");
  const others = (await other.client.get("/openapi.json")).text;
  expect(answer.text).not.toContain("shopify_id");
  expect(others.replaceAll("shopify_id", "storefront_id")).toBe(answer.text);
  await other.stop();
});

test("the document tells of both shapes of refusals, and of headers that requests and answers have", async () => {
  const { paths, components } = (await service.client.as(null).get("/openapi.json")).body;
  const post = paths["/api/storefront/point_allotments"].post;
  const list = paths["/api/storefront/point_allotments"].get;
  const named = (parameters: { $ref: string }[]) =>
    parameters
      .map(({ $ref }) => components.parameters[$ref.slice("#/components/parameters/".length)])
      .filter((one) => one.in === "header")
      .map(({ name }) => name);
  expect(named(post.parameters).sort()).toEqual(["Idempotency-Key", "Prefer", "x-api-version"]);
  expect(named(list.parameters)).toEqual(["x-api-version"]);
  expect(Object.keys(list.responses["200"].headers)).toEqual(
    expect.arrayContaining(["X-Request-Id", "Pointkeeper-Unknown-Parameters", "Link"]),
  );
  expect(Object.keys(post.responses["201"].headers)).toContain("Preference-Applied");
  expect(Object.keys(post.responses["401"].headers)).toContain("WWW-Authenticate");
  expect(Object.keys(post.responses["429"].headers)).toContain("Retry-After");
  expect(post.responses["400"].content["application/json"].schema.$ref).toBe("#/components/schemas/AnyErrorResponse");
  const { ErrorResponse, ErrorResponseV2 } = components.schemas;
  expect([ErrorResponse.required, ErrorResponseV2.required]).toEqual([["errors"], ["status", "title", "errors"]]);
});

test("the document lists a header only where the route can send it", async () => {
  const { paths } = (await service.client.as(null).get("/openapi.json")).body;
  const headersOf = (path: string, method: string, status: string) =>
    Object.keys(paths[path][method].responses[status].headers);
  const unknown = "Pointkeeper-Unknown-Parameters";
  const replayed = "Idempotent-Replayed";
  for (const status of ["200", "400", "409", "422"]) {
    const redeeming = headersOf("/api/customer/coupons", "post", status);
    expect([redeeming.includes(replayed), redeeming.includes(unknown)], status).toEqual([true, false]);
    const giving = headersOf("/api/storefront/coupons", "post", status);
    expect([giving.includes(replayed), giving.includes(unknown)], status).toEqual([true, true]);
  }
  expect(headersOf("/api/customer/summary", "get", "200")).not.toContain(unknown);
  expect(headersOf("/api/customer/cart", "post", "200")).not.toContain(replayed);
});

test("the reference page loads from this host alone", async () => {
  const open = service.client.as(null);
  const page = await open.get("/docs");
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect(page.text).not.toMatch(/https?:/);
  expect((await open.get("/docs/init.js")).text).toContain("showDeveloperTools");
  expect((await open.get("/docs/scalar.js")).text.length).toBeGreaterThan(1_000_000);
});
