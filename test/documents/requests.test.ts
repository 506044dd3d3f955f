import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { blocksOf, documentPages, spansOf } from "../support/documents/read-documents.ts";

/** Routes of the service that its OpenAPI document does not have: pages, files, and other spellings of a path. */
const BESIDE = [
  "GET /metrics",
  "GET /docs",
  "GET /openapi.json",
  "GET /api/storefront/point_balance/{id}",
  "POST /api/storefront/point_balances/{id}/set_balance",
  "POST /admin/api/session/confirm",
  "GET /admin/api/session",
];

const ROUTES = [
  ...Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  ),
  ...BESIDE,
].map((route) => route.split("/"));

/** A request that a document names: `GET /point_balances/:customer`, also below `/api/storefront`. */
const REQUEST = /(?<![\w/])(GET|POST|PUT|DELETE|PATCH) (\/[\w/:<>{}.%-]+)/g;

/** Requests to other services, which a document names. */
const ELSEWHERE: readonly string[] = [
  ...["GET /wp-json/wc/v3/orders", "GET /wp-json/wc/v3/orders/<id>/refunds"],
  ...["GET /v2/orders/<id>", "GET /v2/orders/<id>/products", "GET /v3/orders/<id>/payment_actions/refunds"],
  "GET /v1/checkout/sessions/<id>/line_items",
];

const isPlaceholder = (part: string) => /^(?:\{.*\}|:.*|<.*>)$/.test(part);

function isRoute(request: string): boolean {
  const [method = "", path = ""] = request.split(" ");
  const paths = [path, `/api/storefront${path}`, path.replace("/api/<platform>/", "/api/storefront/")];
  return paths.some((each) => {
    const parts = `${method} ${each}`.split("/");
    return ROUTES.some(
      (route) =>
        route.length === parts.length &&
        route.every((part, index) => part === parts[index] || (isPlaceholder(part) && parts[index] !== "")),
    );
  });
}

test("every request that a document names is a route of the service", () => {
  const named = documentPages().flatMap((page) =>
    [...spansOf(page), ...blocksOf(page)].flatMap(({ code }) =>
      [...code.matchAll(REQUEST)].map(([, method, path]) => ({ page, request: `${method} ${path}` })),
    ),
  );
  expect(named.length).toBeGreaterThan(60);
  const unknown = named.filter(({ request }) => !isRoute(request) && !ELSEWHERE.includes(request));
  expect(unknown.map(({ page, request }) => `${page}: ${request}`)).toEqual([]);
  expect(ELSEWHERE.filter((request) => !named.some((each) => each.request === request))).toEqual([]);
});

test("the reference of the interface names every route", () => {
  const reference = readFileSync("docs/interface.md", "utf8");
  const isNamed = (path: string) => {
    const parts = path
      .replace("/api/storefront", "")
      .split(/(\{\w+\})/)
      .map((part) => (part.startsWith("{") ? ":\\w+" : part.replaceAll(/[./]/g, "\\$&")));
    return new RegExp(`[ \`]${parts.join("")}(?![\\w/])`).test(reference);
  };
  expect(Object.keys(document.paths).filter((path) => !isNamed(path))).toEqual([]);
});
