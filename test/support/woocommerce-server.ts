import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { asyncListener } from "./async-listener.ts";

/** A resource as the store keeps it. */
export type WooResource = Record<string, unknown> & { readonly id: number };

/**
 * The fate of a request. `lost before`: the connection breaks and nothing is done; `lost after`: it is done, but the response is lost; `cut`: the
 * connection breaks in the middle of the response.
 */
export type WooFate = "done" | "lost before" | "lost after" | "cut" | "429" | "503";

/** The REST API of a WooCommerce store, on loopback: it validates parameters like WooCommerce and stores the effects of requests. */
export interface WooServer {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
  readonly orders: WooResource[];
  readonly products: WooResource[];
  readonly customers: WooResource[];
  /** By the id of their order. */
  readonly refunds: Map<number, WooResource[]>;
  readonly coupons: WooResource[];
  readonly webhooks: WooResource[];
  permission: "read" | "read_write";
  currency: string;
  timeZone: string;
  /** The size of a page, whatever size is requested. */
  pageSize: number;
  /** Method and path of each received request, in order. */
  readonly calls: string[];
  /** Parameters that WooCommerce would refuse; empty for a correct client. */
  readonly faults: string[];
  fate: (call: string) => WooFate;
  /** Called before a request is answered. */
  before: (call: string) => Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly total?: number;
}

const refused = (status: number, code: string, message: string): Answer => ({
  status,
  body: { code, message, data: { status } },
});
const invalidId = refused(404, "woocommerce_rest_shop_coupon_invalid_id", "Invalid ID.");

export async function startWooServer(): Promise<WooServer> {
  const http = createServer(asyncListener((request, response) => handle(server, request, response)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo; // cast: a TCP server that listens has one
  const server: WooServer = {
    url: `http://127.0.0.1:${port}/shop`,
    key: "ck_test",
    secret: "cs_test",
    ...{ orders: [], products: [], customers: [], refunds: new Map(), coupons: [], webhooks: [] },
    permission: "read_write",
    currency: "USD",
    timeZone: "America/New_York",
    pageSize: 100,
    calls: [],
    faults: [],
    fate: () => "done",
    before: async () => {},
    async close() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
  return server;
}

async function handle(server: WooServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const text = Buffer.concat(pieces).toString("utf8");
  const url = new URL(request.url ?? "", server.url);
  const path = url.pathname.replace(/^\/shop\/wp-json/, "");
  const call = `${request.method} ${path}`;
  server.calls.push(call);
  await server.before(call);
  const fate = server.fate(call);
  if (fate === "lost before") return void response.destroy();
  if (fate === "429") return void response.writeHead(429, { "retry-after": "0.05" }).end("Too Many Requests");
  if (fate === "503")
    return void response.writeHead(503).end("<html>Briefly unavailable for scheduled maintenance.</html>");
  const answer = authorized(server, request, path) ?? route(server, `${request.method}`, path, url, text);
  if (fate === "lost after") return void response.destroy();
  send(response, answer, fate === "cut");
}

function send(response: ServerResponse, { status, body, total }: Answer, isCut: boolean): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const totals = total === undefined ? {} : { "x-wp-total": String(total) };
  response.writeHead(status, {
    "content-type": "application/json; charset=UTF-8",
    "content-length": bytes.length,
    ...totals,
  });
  if (isCut) response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else response.end(bytes);
}

function authorized(server: WooServer, request: IncomingMessage, path: string): Answer | null {
  if (path === "/") return null;
  const expected = `Basic ${Buffer.from(`${server.key}:${server.secret}`).toString("base64")}`;
  const code = "woocommerce_rest_authentication_error";
  if (request.headers.authorization !== expected) return refused(401, code, "Consumer secret is invalid.");
  if (request.method === "GET" || server.permission === "read_write") return null;
  return refused(401, code, "The API key provided does not have write permissions.");
}

function route(server: WooServer, method: string, path: string, url: URL, text: string): Answer {
  const body = text === "" ? {} : JSON.parse(text);
  const [, ofOrder] = /^\/wc\/v3\/orders\/(\d+)\/refunds$/.exec(path) ?? [];
  const [, couponId] = /^\/wc\/v3\/coupons\/(\d+)$/.exec(path) ?? [];
  if (path === "/")
    return { status: 200, body: { url: server.url, namespaces: ["wp/v2", "wc/v3"], timezone_string: server.timeZone } };
  if (path === "/wc/v3/data/currencies/current")
    return { status: 200, body: { code: server.currency, name: "", symbol: "" } };
  if (ofOrder !== undefined) return page(server, server.refunds.get(Number(ofOrder)) ?? [], url);
  if (path === "/wc/v3/orders") return page(server, changed(server, server.orders, url), url);
  if (path === "/wc/v3/products") return page(server, changed(server, server.products, url), url);
  if (path === "/wc/v3/customers") return page(server, customers(server, url), url);
  if (path === "/wc/v3/coupons/batch") return { status: 200, body: {} };
  if (path === "/wc/v3/coupons" && method === "POST") return createCoupon(server, body);
  if (path === "/wc/v3/coupons") return couponOfCode(server, url);
  if (couponId !== undefined && method === "DELETE") return deleteCoupon(server, Number(couponId), url);
  if (path === "/wc/v3/webhooks" && method === "POST") return createWebhook(server, body);
  if (path === "/wc/v3/webhooks") return page(server, server.webhooks, url);
  server.faults.push(`${method} ${path} is no route`);
  return refused(404, "rest_no_route", "No route was found matching the URL and request method.");
}

function page(server: WooServer, all: readonly WooResource[], { searchParams }: URL): Answer {
  const perPage = Number(searchParams.get("per_page") ?? "10");
  const number = Number(searchParams.get("page") ?? "1");
  if (!(perPage >= 1 && perPage <= 100) || !(number >= 1)) {
    server.faults.push(`per_page ${perPage}, page ${number}`);
    return refused(400, "rest_invalid_param", "Invalid parameter(s): per_page");
  }
  const size = perPage === 1 ? 1 : Math.min(perPage, server.pageSize);
  const from = searchParams.has("offset") ? Number(searchParams.get("offset")) : (number - 1) * size;
  return { status: 200, body: all.slice(from, from + size), total: all.length };
}

const text = (resource: WooResource, name: string) => String(resource[name] ?? "");
const by = (name: string) => (a: WooResource, b: WooResource) =>
  text(a, name) === text(b, name) ? a.id - b.id : text(a, name) < text(b, name) ? -1 : 1;

/** Changed after a second (exclusive), in the order of the change. */
function changed(server: WooServer, all: readonly WooResource[], { searchParams }: URL): WooResource[] {
  const after = searchParams.get("modified_after");
  if (after === null) return [...all];
  const isRight = searchParams.get("dates_are_gmt") === "true" && searchParams.get("orderby") === "modified";
  if (!isRight || searchParams.get("order") !== "asc") server.faults.push(`a list of changes by ${searchParams}`);
  const from = after.replace(/Z$/, "");
  return all.filter((one) => text(one, "date_modified_gmt") > from).sort(by("date_modified_gmt"));
}

function customers(server: WooServer, { searchParams }: URL): WooResource[] {
  if (searchParams.get("role") !== "all") server.faults.push("only customers of the role customer are listed");
  if (searchParams.has("modified_after")) server.faults.push("customers have no modified_after");
  const include = searchParams.get("include")?.split(",").map(Number);
  const all = server.customers
    .filter(({ id }) => include === undefined || include.includes(id))
    .sort(by("date_created_gmt"));
  return searchParams.get("order") === "asc" ? all : all.reverse();
}

let made = 700;

function createCoupon(server: WooServer, body: Record<string, unknown>): Answer {
  const code = String(body["code"]).toLowerCase();
  if (server.coupons.some((coupon) => coupon["code"] === code))
    return refused(400, "woocommerce_rest_coupon_code_already_exists", "The coupon code already exists");
  if ("date_expires_gmt" in body) server.faults.push("date_expires_gmt is not written");
  made += 1;
  const coupon: WooResource = { ...couponOfNothing(), ...body, id: made, code };
  server.coupons.push(coupon);
  return { status: 201, body: coupon };
}

/** The fields of a new coupon, as in the documentation of the REST API. */
function couponOfNothing() {
  return {
    ...{ amount: "0.00", discount_type: "fixed_cart", description: "", date_expires: null, usage_count: 0 },
    ...{
      individual_use: false,
      product_ids: [],
      excluded_product_ids: [],
      usage_limit: null,
      usage_limit_per_user: null,
    },
    ...{ email_restrictions: [], used_by: [], meta_data: [] },
  };
}

/** The newest coupon with a code, ignoring case. */
function couponOfCode(server: WooServer, { searchParams }: URL): Answer {
  const code = (searchParams.get("code") ?? "").toLowerCase();
  const found = server.coupons.filter((coupon) => coupon["code"] === code).at(-1);
  return { status: 200, body: found === undefined ? [] : [found], total: found === undefined ? 0 : 1 };
}

function deleteCoupon(server: WooServer, id: number, { searchParams }: URL): Answer {
  if (searchParams.get("force") !== "true") server.faults.push("a coupon goes into the bin");
  const at = server.coupons.findIndex((coupon) => coupon.id === id);
  const [coupon] = at === -1 ? [] : server.coupons.splice(at, 1);
  return coupon === undefined ? invalidId : { status: 200, body: coupon };
}

function createWebhook(server: WooServer, body: Record<string, unknown>): Answer {
  if (!/^https:/.test(String(body["delivery_url"])) || String(body["secret"]).length < 8)
    return refused(400, "woocommerce_rest_missing_callback_param", "Webhook delivery URL must start with http");
  made += 1;
  server.webhooks.push({ ...body, id: made });
  return { status: 201, body: { ...body, id: made } };
}
